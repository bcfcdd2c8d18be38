import { expect, test } from 'vitest'
import { createReadiness } from './health.ts'

/** A store that takes what it is told to, and a clock. */
function place() {
  const state = { now: 0, full: false, writes: 0 }
  const write = async () => {
    state.writes += 1
    if (state.full) throw new Error('database or disk is full')
  }
  return { state, readiness: createReadiness({ write, clock: () => state.now }) }
}

test('it is ready from when the tasks are taken up to when it stops', async () => {
  const { readiness } = place()
  expect(await readiness.missing()).toEqual(['The agent starts: its tasks are not taken up yet.'])
  readiness.opened()
  expect(await readiness.missing()).toEqual([])
  readiness.closing()
  expect(await readiness.missing()).toEqual(['The agent stops.'])
})

test('a store that cannot write is missed, and looked at once a second, however often somebody asks', async () => {
  const { state, readiness } = place()
  readiness.opened()
  await Promise.all([readiness.missing(), readiness.missing()])
  state.full = true
  expect([await readiness.missing(), state.writes]).toEqual([[], 1])
  state.now = 1000
  expect(await readiness.missing()).toEqual([expect.stringContaining('The store cannot write')])
  state.full = false
  expect([await readiness.missing(), state.writes]).toEqual([[expect.any(String)], 2])
  state.now = 2000
  expect([await readiness.missing(), state.writes]).toEqual([[], 3])
})
