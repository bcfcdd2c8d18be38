// `/health` and `/ready`: the first says that the process lives, the second that it can take work, or what is missing.
import { realWorld } from '@a2a-kit/task-core'
import { expect, test } from 'vitest'
import { startProbe } from './support/probe.ts'
import { raw } from './support/raw.ts'

test('an agent that runs is ready, and a question to it writes next to nothing', async () => {
  const probe = await startProbe()
  const answers = await Promise.all(Array.from({ length: 20 }, () => raw(`${probe.url}/ready`)))
  for (const { status, body } of answers) {
    expect([status, body]).toEqual([200, { status: 'ready', agent: 'conformance' }])
  }
  expect((await raw(`${probe.url}/health`)).body).toEqual({ status: 'ok', agent: 'conformance' })
  expect(answers[0]!.headers.get('cache-control')).toBe('no-store')
})

test('an agent whose disk takes nothing lives, and is not ready', async () => {
  let full = false
  const moment = (name: string) => {
    if (full && name === 'commit:before') throw new Error('database or disk is full')
  }
  const probe = await startProbe({ world: { ...realWorld, moment } })
  full = true
  const { status, headers, body } = await raw(`${probe.url}/ready`)
  expect([status, headers.get('retry-after')]).toEqual([503, '1'])
  const missing = [expect.stringContaining('The store cannot write')]
  expect(body).toEqual({ status: 'not ready', agent: 'conformance', missing })
  expect((await raw(`${probe.url}/health`)).status).toBe(200)
})
