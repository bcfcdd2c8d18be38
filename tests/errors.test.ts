// How errors look on the wire over both JSON bindings: the same ones in the shape of each, before a stream as in any answer.
import { connect } from 'node:net'
import { conformance } from '@a2a-kit/conformance'
import type { Agent } from '@a2a-kit/task-core'
import { A2AError, type ErrorName, errorTable } from '@a2a-kit/task-core/protocol'
import { describe, expect, test } from 'vitest'
import { jsonBindings, startProbe, userMessage } from './support/probe.ts'
import {
  expectHttpJsonError,
  expectJsonRpcError,
  json,
  operations,
  type RawAnswer,
  raw,
  requestOf,
} from './support/raw.ts'
import { jsonWaysToSend } from './support/refusals.ts'
import { shareProbe } from './support/shared-probe.ts'

const shared = shareProbe()

const at = (path: string, init?: RequestInit) => raw(`${shared.probe.url}/a2a${path}`, init)
const post = (path: string, body: string) => at(path, { method: 'POST', headers: json, body })

/** A task that waits, one that has ended, and none, as ids for what follows. */
async function someTasks() {
  const made = await Promise.all(
    ['ask what?', 'complete'].map((text) =>
      shared.probe.call('JSONRPC', 'SendMessage', { message: userMessage(text) }),
    ),
  )
  const [waiting, ended] = made.map(({ result }) => result.task.id as string)
  return { waiting: waiting!, ended: ended! }
}

describe.each(jsonBindings)('over %s', (binding) => {
  const call = (operation: string, params?: object) =>
    at(...requestOf(binding, operation, params ? { params } : {}))
  const expectError = (answer: RawAnswer, code: number, http: number, grpc: string, reason: string) => {
    if (binding === 'HTTP+JSON') return expectHttpJsonError(answer, http, grpc, reason)
    expect(answer.status).toBe(200)
    expectJsonRpcError(answer, code, reason, 7)
  }

  test.each(Object.keys(errorTable) as ErrorName[])(
    'REST-ERROR-SHAPE: %s, before a stream as in an answer',
    async (name) => {
      const agent: Agent = {
        ...conformance,
        reply() {
          throw new A2AError(name, `This is ${name}.`)
        },
      }
      const { url } = await startProbe({ agent })
      const { code, http, grpc, reason } = errorTable[name]
      for (const operation of ['SendMessage', 'SendStreamingMessage']) {
        const [path, init] = requestOf(binding, operation, { params: { message: userMessage('complete') } })
        const answer = await raw(`${url}/a2a${path}`, init)
        if (binding === 'HTTP+JSON') expectHttpJsonError(answer, http, grpc, reason)
        else expectJsonRpcError(answer, code, reason, 7)
        expect(answer.body.error.message).toBe(`This is ${name}.`)
      }
    },
  )

  test.each([['GetTask'], ['CancelTask'], ['SubscribeToTask']])(
    'REST-ERROR-SHAPE: %s of an unknown task [JSONRPC-ERR-001] [JSONRPC-ERR-003] [HTTP_JSON-ERR-001] [HTTP_JSON-ERR-002]',
    async (operation) => {
      const answer = await call(operation)
      expectError(answer, -32001, 404, 'NOT_FOUND', 'TASK_NOT_FOUND')
      const [info] = answer.body.error.data ?? answer.body.error.details
      expect(info.metadata).toEqual({ taskId: 'T' })
    },
  )

  test.each(
    operations.map(([operation]) => operation).filter((operation) => operation.includes('PushNotification')),
  )('REST-ERROR-SHAPE: %s of an agent without push notifications', async (operation) => {
    const without = await startProbe({ capabilities: { pushNotifications: false } })
    const [path, init] = requestOf(binding, operation)
    const answer = await raw(`${without.url}/a2a${path}`, init)
    expectError(answer, -32003, 400, 'FAILED_PRECONDITION', 'PUSH_NOTIFICATION_NOT_SUPPORTED')
  })

  test('REST-ERROR-SHAPE: GetExtendedAgentCard of an agent without one', async () => {
    const answer = await call('GetExtendedAgentCard')
    expectError(answer, -32004, 400, 'FAILED_PRECONDITION', 'UNSUPPORTED_OPERATION')
  })

  test.each(['SendMessage', 'SendStreamingMessage'])(
    'PRE-STREAM-ERROR: %s that is at fault is answered with a body, naming the field',
    async (operation) => {
      const answer = await call(operation, { message: { role: 'ROLE_USER' } })
      expectError(answer, -32602, 400, 'INVALID_ARGUMENT', 'INVALID_PARAMS')
      const [, bad] = answer.body.error.data ?? answer.body.error.details
      expect(bad.fieldViolations).toEqual([
        { field: 'message.messageId', description: 'is required' },
        { field: 'message.parts', description: 'is required' },
      ])
    },
  )

  test('PRE-STREAM-ERROR, RESUB-TERMINAL-CODE: a subscription to an ended task is no stream', async () => {
    const { ended } = await someTasks()
    const [path, init] = requestOf(binding, 'SubscribeToTask', { params: { id: ended } })
    for (const accept of ['*/*', 'text/event-stream']) {
      const headers = { ...json, Accept: accept }
      const answer = await at(path.replace('/T:', `/${ended}:`), { ...init, headers })
      expectError(answer, -32004, 400, 'FAILED_PRECONDITION', 'UNSUPPORTED_OPERATION')
      expect(answer.body.error.message).toContain('GetTask')
    }
  })
})

test.each(jsonWaysToSend)(
  'a bug of the agent is InternalError over $binding, and $operation tells nothing of it',
  async (way) => {
    const agent: Agent = {
      ...conformance,
      reply() {
        throw new Error('cannot read /home/secret.txt')
      },
    }
    const { url } = await startProbe({ agent })
    const [path, init] = requestOf(way.binding, way.operation, {
      params: { message: userMessage('complete') },
    })
    const answer = await raw(`${url}/a2a${path}`, init)
    if (way.binding === 'HTTP+JSON') expectHttpJsonError(answer, 500, 'INTERNAL', 'INTERNAL_ERROR')
    else expectJsonRpcError(answer, -32603, 'INTERNAL_ERROR', 7)
    expect(answer.status).toBe(way.binding === 'HTTP+JSON' ? 500 : 200)
    expect(answer.text).not.toContain('secret')
  },
)

test.each(['/', '/nonsense', '/.well-known/nonsense', '/a2a/v2/tasks', '/health/x'])(
  'REST-ERROR-SHAPE: outside of the bindings too, %s is 404',
  async (path) => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const answer = await raw(shared.probe.url + path, { method })
      expectHttpJsonError(answer, 404, 'UNIMPLEMENTED', 'METHOD_NOT_FOUND')
    }
  },
)

describe('HTTP+JSON', () => {
  test.each([
    '/nonsense',
    '/tasks/T/nonsense',
    '/tasks/T:nonsense',
    '/tasks/T:subscribe:cancel',
    '/message:nonsense',
    '/message',
    '/v2/message:send',
    '//tasks',
    '/Tasks',
  ])('REST-ERROR-SHAPE: %s is 404, and no task is said to be missing', async (path) => {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS']) {
      expectHttpJsonError(
        await at(path, { method, headers: { 'A2A-Version': '1.0' } }),
        404,
        'UNIMPLEMENTED',
        'METHOD_NOT_FOUND',
      )
    }
  })

  test.each([
    ['/message:send', 'POST'],
    ['/message:stream', 'POST'],
    ['/tasks', 'GET'],
    ['/tasks/T', 'GET'],
    ['/tasks/T:cancel', 'POST'],
    ['/tasks/T:subscribe', 'POST, GET'],
    ['/tasks/T/pushNotificationConfigs', 'POST, GET'],
    ['/tasks/T/pushNotificationConfigs/C', 'GET, DELETE'],
    ['/extendedAgentCard', 'GET'],
  ])('REST-ERROR-SHAPE: %s with another method is 405, and allows %s', async (path, allowed) => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      if (allowed.split(', ').includes(method)) continue
      const answer = await at(path, { method, headers: { 'A2A-Version': '1.0' } })
      expectHttpJsonError(answer, 405, 'UNIMPLEMENTED', 'METHOD_NOT_ALLOWED')
      expect(answer.headers.get('allow')).toBe(allowed)
    }
  })

  test.each(['{"message":', 'message=1', '{"a":1}}'])(
    'REST-ERROR-SHAPE: the body %j is 400',
    async (body) => {
      for (const path of ['/message:send', '/message:stream', '/tasks/T:cancel', '/tasks/T:subscribe']) {
        expectHttpJsonError(await post(path, body), 400, 'INVALID_ARGUMENT', 'PARSE_ERROR')
      }
    },
  )

  test.each(['[]', '"text"', '7', 'true'])('REST-ERROR-SHAPE: the body %j is 400', async (body) => {
    for (const path of ['/message:send', '/message:stream', '/tasks/T:cancel', '/tasks/T:subscribe']) {
      expectHttpJsonError(await post(path, body), 400, 'INVALID_ARGUMENT', 'INVALID_PARAMS')
    }
  })

  test('REST-ERROR-SHAPE: a body that is too large is 413', async () => {
    const answer = await post('/message:send', 'x'.repeat(4 * 1024 * 1024 + 1))
    expectHttpJsonError(answer, 413, 'RESOURCE_EXHAUSTED', 'PAYLOAD_TOO_LARGE')
  })

  test.each([
    'pageSize=0',
    'pageSize=101',
    'pageSize=ten',
    'pageSize=1&pageSize=2',
    'historyLength=-5',
    'status=TASK_STATE_RUNNING',
    'includeArtifacts=yes',
    'pageToken=nonsense',
    'statusTimestampAfter=yesterday',
    'statusTimestampAfter=2026-02-30T00:00:00Z',
    'statusTimestampAfter=2026-10-06',
    'contextId=a&contextId=b',
  ])('REST-ERROR-SHAPE: the query %s is 400, naming the field', async (query) => {
    const answer = await at(`/tasks?${query}`, { headers: json })
    expectHttpJsonError(answer, 400, 'INVALID_ARGUMENT', 'INVALID_PARAMS')
    const [, bad] = answer.body.error.details
    expect(bad.fieldViolations.map(({ field }: { field: string }) => field)).toEqual([query.split('=')[0]])
  })

  test('REST-ERROR-SHAPE: every field of a query that is at fault is named', async () => {
    const answer = await at('/tasks?pageSize=150&historyLength=-5&status=TASK_STATE_RUNNING', {
      headers: json,
    })
    const [, bad] = answer.body.error.details
    const fields = bad.fieldViolations.map(({ field }: { field: string }) => field)
    expect(fields.sort()).toEqual(['historyLength', 'pageSize', 'status'])
  })

  test('REST-ERROR-SHAPE: an address that is no address is 400', async () => {
    const answer = await at('/tasks/%zz', { headers: json })
    expectHttpJsonError(answer, 400, 'INVALID_ARGUMENT', 'INVALID_REQUEST')
  })

  test.each([
    ['that is no HTTP', 'NONSENSE\r\n\r\n'],
    ['with too large headers', `GET / HTTP/1.1\r\nHost: a\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`],
  ])('REST-ERROR-SHAPE: a request %s is 400, and its connection is closed', async (_, request) => {
    const answer = await new Promise<string>((resolve, reject) => {
      let text = ''
      const socket = connect(shared.probe.port, '127.0.0.1', () => socket.write(request))
      socket.on('data', (chunk) => {
        text += chunk
      })
      socket.on('close', () => resolve(text)).on('error', reject)
    })
    const [head, body] = answer.split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1.1 400 /)
    const { error } = JSON.parse(body!)
    expect(error).toMatchObject({
      code: 400,
      status: 'INVALID_ARGUMENT',
      details: [{ reason: 'INVALID_REQUEST' }],
    })
  })
})
