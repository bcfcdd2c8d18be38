// Which versions of the protocol are served (§3.6): by header or query, on every operation, before anything is done.
import { describe, expect, test } from 'vitest'
import { jsonBindings, userMessage } from './support/probe.ts'
import {
  expectHttpJsonError,
  expectJsonRpcError,
  json,
  operations,
  type RawAnswer,
  raw,
  requestOf,
} from './support/raw.ts'
import { shareProbe } from './support/shared-probe.ts'

const shared = shareProbe()

const { 'A2A-Version': _, ...unversioned } = json
/** A header that is sent twice comes as one, with commas. */
const versioned = (version: string) => ({ ...unversioned, 'A2A-Version': version })

describe.each(jsonBindings)('over %s', (binding) => {
  const call = (operation: string, options: { headers?: Record<string, string>; search?: string }) => {
    const params = operation.startsWith('Send') ? { message: userMessage('complete') } : undefined
    const [path, init] = requestOf(binding, operation, { ...options, ...(params ? { params } : {}) })
    return raw(`${shared.probe.url}/a2a${path}`, init)
  }
  const expectRefused = (answer: RawAnswer) => {
    if (binding === 'JSONRPC') {
      expect(answer.status).toBe(200)
      expectJsonRpcError(answer, -32009, 'VERSION_NOT_SUPPORTED', 7)
    } else {
      expectHttpJsonError(answer, 400, 'FAILED_PRECONDITION', 'VERSION_NOT_SUPPORTED')
    }
    expect(answer.body.error.message).toContain('send A2A-Version: 1.0')
  }

  test.each(operations)(
    'VERSION-UNSUPPORTED: %s refuses it before anything is done [VER-SERVER-002]',
    async (operation) => {
      await shared.changesNothing(async () => {
        for (const version of ['0.5', '2.0', '99.0']) {
          expectRefused(await call(operation, { headers: versioned(version) }))
        }
      })
    },
  )

  test.each(operations)(
    'VERSION-ABSENT: %s says which header to send [VER-SERVER-003]',
    async (operation) => {
      await shared.changesNothing(async () => {
        for (const headers of [unversioned, versioned(''), versioned('  ')]) {
          const answer = await call(operation, { headers })
          expectRefused(answer)
          expect(answer.body.error.message).toContain('0.3')
        }
      })
    },
  )

  test.each([
    'banana',
    '1',
    '1.',
    '1.1',
    '1.00',
    '01.0',
    'v1.0',
    '1.0-beta',
    '1.0.x',
    '0.3',
    '1,0',
    '1.0,0.3',
  ])('VERSION-UNSUPPORTED: %j is none that is served', async (version) => {
    expectRefused(await call('ListTasks', { headers: versioned(version) }))
    expectRefused(await call('ListTasks', { headers: unversioned, search: `?A2A-Version=${version}` }))
  })

  test.each(['1.0', '1.0.7', '1.0.12', ' 1.0 ', '1.0, 1.0.2'])(
    'VERSION-UNSUPPORTED: version %j is served: patch digits do not count [VER-CLIENT-002]',
    async (version) => {
      const { status, body } = await call('SendMessage', { headers: versioned(version) })
      expect(status).toBe(200)
      expect((body.result ?? body).task.status.state).toBe('TASK_STATE_COMPLETED')
    },
  )

  test.each(['A2A-Version', 'a2a-version'])(
    'VERSION-UNSUPPORTED: the version may come in the query, as %s',
    async (name) => {
      const { status, body } = await call('SendMessage', { headers: unversioned, search: `?${name}=1.0` })
      expect(status).toBe(200)
      expect((body.result ?? body).task.status.state).toBe('TASK_STATE_COMPLETED')
    },
  )

  test.each([
    ['2.0', '1.0'],
    ['1.0', '2.0'],
    ['0.3', '1.0'],
  ])('VERSION-UNSUPPORTED: a header of %s does not go with a query of %s', async (header, query) => {
    expectRefused(await call('ListTasks', { headers: versioned(header), search: `?A2A-Version=${query}` }))
  })

  test.each([
    ['1.0', '1.0.7'],
    ['', '1.0'],
    ['1.0', ''],
  ])('a header of %j goes with a query of %j', async (header, query) => {
    const answer = await call('ListTasks', { headers: versioned(header), search: `?A2A-Version=${query}` })
    expect(answer.status).toBe(200)
    expect((answer.body.result ?? answer.body).tasks).toBeInstanceOf(Array)
  })

  test('unknown query parameters and unknown extensions are ignored', async () => {
    const headers = { ...json, 'A2A-Extensions': 'urn:a:unknown, urn:b:unknown' }
    const { status, body } = await call('SendMessage', { headers, search: '?foo=1&__proto__=2&tenant=' })
    expect(status).toBe(200)
    expect((body.result ?? body).task.status.state).toBe('TASK_STATE_COMPLETED')
  })
})

test('the card, the health and the approvals need no version', async () => {
  for (const path of ['/.well-known/agent-card.json', '/health']) {
    expect((await raw(shared.probe.url + path)).status).toBe(200)
  }
  const { status, body } = await raw(`${shared.probe.url}/approve/unknown`, { method: 'POST' })
  expect(status).toBe(404)
  expect(body.error).toContain('no task unknown')
})
