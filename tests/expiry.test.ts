// Waits that end by themselves: questions that nobody answers and requests that nobody decides, also while the process is down.
import { realWorld } from '@a2a-kit/task-core'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { startProbe, userMessage } from './support/probe.ts'
import { expectRefusal } from './support/refusals.ts'
import { allFrames } from './support/sse.ts'
import { begin, says } from './support/talk.ts'
import { untilState } from './support/wait.ts'

const minute = 60
const hour = 3600 * 1000
/** The world an hour later. */
const later = { ...realWorld, now: () => Date.now() + hour, statusTime: () => Date.now() + hour }

describe('while the process was down', () => {
  test('a question that nobody answered in time has failed its task', async () => {
    const before = await startProbe({ settings: { inputTtl: minute } })
    const id = await begin(before, 'ask')
    await untilState(before, id, 'INPUT_REQUIRED')
    await before.close()
    const after = await startProbe({ dataDir: before.dataDir, world: later })
    expect(says(await untilState(after, id, 'FAILED'))).toBe('Nobody answered the question in time.')
    const late = await after.call('JSONRPC', 'SendMessage', { message: userMessage('main', { taskId: id }) })
    expectRefusal(late, 'JSONRPC', 'UNSUPPORTED_OPERATION')
  })

  test('a request that nobody decided in time has expired, which its run is told', async () => {
    const before = await startProbe({ settings: { approvalTtl: minute } })
    const id = await begin(before, 'authorize')
    await untilState(before, id, 'AUTH_REQUIRED')
    await before.close()
    const after = await startProbe({ dataDir: before.dataDir, world: later })
    expect(says(await untilState(after, id, 'FAILED'))).toBe('Nobody approved in time.')
    const late = await fetch(`${after.url}/approve/${id}`, { method: 'POST' })
    expect([late.status, await late.json()]).toEqual([
      410,
      {
        error: expect.stringMatching(/^The task has ended in TASK_STATE_FAILED. Its request was expired at /),
      },
    ])
  })

  test('waits that have time left go on waiting', async () => {
    const before = await startProbe()
    const ids = [await begin(before, 'ask'), await begin(before, 'authorize')]
    for (const id of ids) await untilState(before, id, 'INPUT_REQUIRED', 'AUTH_REQUIRED')
    await before.close()
    const after = await startProbe({ dataDir: before.dataDir, world: later })
    for (const id of ids) await untilState(after, id, 'INPUT_REQUIRED', 'AUTH_REQUIRED')
    expect((await fetch(`${after.url}/approve/${ids[1]}`, { method: 'POST' })).status).toBe(200)
    await after.call('JSONRPC', 'SendMessage', { message: userMessage('main', { taskId: ids[0] }) })
    for (const id of ids) await untilState(after, id, 'COMPLETED')
  })
})

test('a wait ends a minute after its time at the latest, though the clock was set meanwhile or the machine slept', async () => {
  const { setTimeout: real } = globalThis
  const minutesPassAtOnce = (work: () => void, ms?: number) => real(work, ms === 60_000 ? 10 : ms)
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(minutesPassAtOnce as typeof real)
  onTestFinished(() => void vi.restoreAllMocks())
  let ahead = 0
  const probe = await startProbe({ world: { ...realWorld, now: () => Date.now() + ahead } })
  const id = await begin(probe, 'authorize')
  await untilState(probe, id, 'AUTH_REQUIRED')
  ahead = 25 * hour
  expect(says(await untilState(probe, id, 'FAILED'))).toBe('Nobody approved in time.')
})

test('waits end at their time, the nearest first, however many there are', async () => {
  const probe = await startProbe({ settings: { inputTtl: 1, approvalTtl: 2 } })
  const approval = await begin(probe, 'authorize')
  await untilState(probe, approval, 'AUTH_REQUIRED')
  const questions = []
  for (let nth = 0; nth < 5; nth += 1) questions.push(await begin(probe, 'ask', { contextId: `${nth}` }))
  const stream = await probe.stream('HTTP+JSON', 'SubscribeToTask', { id: questions[4]! })
  expect((await allFrames(stream)).at(-1)!.statusUpdate!.status.state).toBe('TASK_STATE_FAILED')
  for (const id of questions) await untilState(probe, id, 'FAILED')
  expect(says(await untilState(probe, approval, 'FAILED'))).toBe('Nobody approved in time.')
})
