// A task belongs to who made it (§13.1): to anybody else it answers to the byte as one that never was, whatever is asked, over whichever binding.
import { randomUUID } from 'node:crypto'
import { replayExtension, type Task } from '@a2a-kit/task-core/protocol'
import { beforeAll, describe, expect, test } from 'vitest'
import { detailsOf, grpcClient, metadataOf, rawCall, readReply, requestBytes } from './support/grpc.ts'
import { type Binding, bindings } from './support/probe.ts'
import { json, requestOf } from './support/raw.ts'
import { shareProbe } from './support/shared-probe.ts'
import { local } from './support/webhook.ts'

const callerTokens = { alice: 'a-token-of-alice-1', bob: 'a-token-of-bob-1234' }
const as = (name: keyof typeof callerTokens) => ({ Authorization: `Bearer ${callerTokens[name]}` })
const shared = shareProbe(() => ({ callerTokens, settings: local }))

const unknown = randomUUID()
let task: Task
const message = (more: object = {}, messageId: string = randomUUID()) => ({
  messageId,
  role: 'ROLE_USER',
  parts: [{ text: 'complete' }],
  ...more,
})
const hers = message({ parts: [{ text: 'ask What?' }], contextId: 'of-alice' })

beforeAll(async () => {
  const { call } = shared.probe
  task = (await call('JSONRPC', 'SendMessage', { message: hers }, as('alice'))).result.task
  const config = { taskId: task.id, id: 'C', url: 'http://127.0.0.1:9/' }
  expect(
    (await call('JSONRPC', 'CreateTaskPushNotificationConfig', config, as('alice'))).error,
  ).toBeUndefined()
})

/** What differs between any two answers: ids that are made up, and times. */
const plain = (text: string) =>
  text.replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'ID').replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')

async function overHttp(url: string, init: RequestInit): Promise<string> {
  const response = await fetch(url, init)
  const { date: _, ...headers } = Object.fromEntries(response.headers)
  return plain(JSON.stringify([response.status, headers, await response.text()]))
}

/** All that bob sees of an operation: status, headers and body, or the gRPC status with its trailers. */
async function seen(binding: Binding, operation: string, params: object, more = {}): Promise<string> {
  const { probe } = shared
  const headers: Record<string, string> = { ...as('bob'), ...more }
  if (binding === 'GRPC') {
    const client = grpcClient(`localhost:${probe.grpcPort}`)
    const metadata = metadataOf(headers)
    const { error, reply } = await rawCall(client, operation, requestBytes(operation, params), { metadata })
    if (!error) return plain(JSON.stringify(readReply(operation, reply!)))
    const { date: _, 'grpc-status-details-bin': __, ...trailers } = error.metadata.getMap()
    return plain(JSON.stringify([error.code, error.details, detailsOf(error), trailers]))
  }
  const { id = 'C', taskId = id } = params as { id?: string; taskId?: string }
  const [path, init] = requestOf(binding, operation, { params, headers: { ...json, ...headers } })
  return overHttp(`${probe.url}/a2a${path.replace('/T', `/${taskId}`)}`, init)
}

/** Each operation on the task with this id, as somebody would ask for it. */
const operations: [what: string, operation: string, params: (id: string) => object, headers?: object][] = [
  ['GetTask', 'GetTask', (id) => ({ id })],
  ['CancelTask', 'CancelTask', (id) => ({ id })],
  ['SubscribeToTask', 'SubscribeToTask', (id) => ({ id })],
  [
    'SubscribeToTask for a replay',
    'SubscribeToTask',
    (id) => ({ id }),
    { 'A2A-Extensions': replayExtension, 'Last-Event-ID': '1' },
  ],
  ['SendMessage', 'SendMessage', (taskId) => ({ message: message({ taskId }) })],
  [
    'SendMessage with its context',
    'SendMessage',
    (taskId) => ({ message: message({ taskId, contextId: 'of-alice' }) }),
  ],
  [
    'SendMessage that is a repeat',
    'SendMessage',
    (taskId) => ({ message: message({ taskId }, hers.messageId) }),
  ],
  ['SendStreamingMessage', 'SendStreamingMessage', (taskId) => ({ message: message({ taskId }) })],
  [
    'CreateTaskPushNotificationConfig',
    'CreateTaskPushNotificationConfig',
    (taskId) => ({ taskId, id: 'C', url: 'http://127.0.0.1:9/' }),
  ],
  ['GetTaskPushNotificationConfig', 'GetTaskPushNotificationConfig', (taskId) => ({ taskId, id: 'C' })],
  ['ListTaskPushNotificationConfigs', 'ListTaskPushNotificationConfigs', (taskId) => ({ taskId })],
  ['DeleteTaskPushNotificationConfig', 'DeleteTaskPushNotificationConfig', (taskId) => ({ taskId, id: 'C' })],
]

describe.each(bindings)('over %s', (binding) => {
  test.each(operations)(
    '%s of another caller’s task is TASK_NOT_FOUND, as of none',
    async (_, operation, params, headers) => {
      const theirs = await seen(binding, operation, params(task.id), headers)
      expect(theirs).toContain('TASK_NOT_FOUND')
      expect(theirs).toBe(await seen(binding, operation, params(unknown), headers))
    },
  )

  test('a task that is referred to, and a messageId, may be another caller’s: neither is found', async () => {
    const sent = (more: object, messageId?: string) =>
      seen(binding, 'SendMessage', { message: message(more, messageId) })
    const theirs = await sent({ referenceTaskIds: [task.id] })
    expect(theirs).toContain('TASK_STATE_COMPLETED')
    expect(theirs).toBe(await sent({ referenceTaskIds: [unknown] }))
    const { result } = await shared.probe.call(
      binding,
      'SendMessage',
      { message: message({}, hers.messageId + binding) },
      as('alice'),
    )
    const { result: own } = await shared.probe.call(
      binding,
      'SendMessage',
      { message: message({}, hers.messageId + binding) },
      as('bob'),
    )
    expect(own.task.status.state).toBe('TASK_STATE_COMPLETED')
    expect(own.task.id).not.toBe(result.task.id)
  })

  test('a list has nothing of another caller’s, nor counts it', async () => {
    const list = (filter: object) => seen(binding, 'ListTasks', filter)
    expect(await list({ contextId: 'of-alice' })).toBe(await list({ contextId: 'of-nobody' }))
    const waiting = await shared.probe.call(
      binding,
      'ListTasks',
      { status: 'TASK_STATE_INPUT_REQUIRED' },
      as('bob'),
    )
    expect(waiting.result).toMatchObject({ tasks: [], totalSize: 0 })
  })

  test('a contextId in which another caller has tasks is refused, without a word of them', async () => {
    const refused = await seen(binding, 'SendMessage', { message: message({ contextId: 'of-alice' }) })
    expect(refused).toContain('message.contextId cannot be used: leave it out')
    expect(refused).not.toMatch(/alice"|owner|exists|belongs/)
  })
})

const of03: [
  what: string,
  method: string,
  params: (id: string) => object,
  verb: string,
  path: string,
  body?: (id: string) => object,
][] = [
  ['get', 'tasks/get', (id) => ({ id }), 'GET', '/tasks/T'],
  ['cancel', 'tasks/cancel', (id) => ({ id }), 'POST', '/tasks/T:cancel'],
  ['resubscribe', 'tasks/resubscribe', (id) => ({ id }), 'POST', '/tasks/T:subscribe'],
  [
    'send',
    'message/send',
    (taskId) => ({
      message: {
        kind: 'message',
        messageId: randomUUID(),
        role: 'user',
        parts: [{ kind: 'text', text: 'a' }],
        taskId,
      },
    }),
    'POST',
    '/message:send',
    (taskId) => ({
      message: { messageId: randomUUID(), role: 'ROLE_USER', content: [{ text: 'a' }], taskId },
    }),
  ],
  [
    'set config',
    'tasks/pushNotificationConfig/set',
    (taskId) => ({ taskId, pushNotificationConfig: { id: 'C', url: 'http://127.0.0.1:9/' } }),
    'POST',
    '/tasks/T/pushNotificationConfigs',
    (id) => ({
      parent: `tasks/${id}`,
      configId: 'C',
      config: {
        name: `tasks/${id}/pushNotificationConfigs/C`,
        pushNotificationConfig: { url: 'http://127.0.0.1:9/' },
      },
    }),
  ],
  [
    'get config',
    'tasks/pushNotificationConfig/get',
    (id) => ({ id, pushNotificationConfigId: 'C' }),
    'GET',
    '/tasks/T/pushNotificationConfigs/C',
  ],
  [
    'list configs',
    'tasks/pushNotificationConfig/list',
    (id) => ({ id }),
    'GET',
    '/tasks/T/pushNotificationConfigs',
  ],
  [
    'delete config',
    'tasks/pushNotificationConfig/delete',
    (id) => ({ id, pushNotificationConfigId: 'C' }),
    'DELETE',
    '/tasks/T/pushNotificationConfigs/C',
  ],
]

test.each(of03)('over 0.3 too: %s', async (_, method, params, verb, path, body) => {
  const { 'A2A-Version': __, ...type } = json
  const headers = { ...type, ...as('bob') }
  const base = `${shared.probe.url}/a2a`
  const rpc = (id: string) =>
    overHttp(base, {
      method: 'POST',
      headers,
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: params(id) }),
    })
  const rest = (id: string) =>
    overHttp(`${base}/v1${path.replace('/T', `/${id}`)}`, {
      method: verb,
      headers,
      ...(verb === 'POST' && { body: JSON.stringify(body?.(id) ?? {}) }),
    })
  for (const ask of [rpc, rest]) {
    const theirs = await ask(task.id)
    expect(theirs).toContain('TASK_NOT_FOUND')
    expect(theirs).toBe(await ask(unknown))
  }
})

test('and nothing of all this has changed the task', async () => {
  const { result } = await shared.probe.call('JSONRPC', 'GetTask', { id: task.id }, as('alice'))
  expect(result).toEqual(task)
  const configs = await shared.probe.call(
    'GRPC',
    'ListTaskPushNotificationConfigs',
    { taskId: task.id },
    as('alice'),
  )
  expect(configs.result.configs).toHaveLength(1)
})
