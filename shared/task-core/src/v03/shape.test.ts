// Tasks and events of 1.0 in the two shapes of 0.3, and the errors.
import { describe, expect, test } from 'vitest'
import { A2AError, invalid, type Task, taskStates } from '../protocol/index.ts'
import { httpJsonError03, jsonRpcError03 } from './errors.ts'
import { jsonShape, protoShape } from './shape.ts'

const timestamp = '2026-10-06T09:00:00.000Z'
const place = { taskId: 'T', contextId: 'C' }
const question = { messageId: 'q', role: 'ROLE_AGENT' as const, ...place, parts: [{ text: 'Which?' }] }
const task: Task = {
  id: 'T',
  contextId: 'C',
  status: { state: 'TASK_STATE_INPUT_REQUIRED', message: question, timestamp },
  artifacts: [{ artifactId: 'a', name: 'n', parts: [{ text: 'x' }] }],
  history: [{ messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'go' }], referenceTaskIds: ['R'] }],
  metadata: { a: 1 },
}
const asJson = {
  kind: 'task',
  id: 'T',
  contextId: 'C',
  status: {
    state: 'input-required',
    message: {
      kind: 'message',
      messageId: 'q',
      role: 'agent',
      ...place,
      parts: [{ kind: 'text', text: 'Which?' }],
    },
    timestamp,
  },
  artifacts: [{ artifactId: 'a', name: 'n', parts: [{ kind: 'text', text: 'x' }] }],
  history: [
    {
      kind: 'message',
      messageId: 'm',
      role: 'user',
      parts: [{ kind: 'text', text: 'go' }],
      referenceTaskIds: ['R'],
    },
  ],
  metadata: { a: 1 },
}
const asProto = {
  id: 'T',
  contextId: 'C',
  status: {
    state: 'TASK_STATE_INPUT_REQUIRED',
    message: { messageId: 'q', role: 'ROLE_AGENT', ...place, content: [{ text: 'Which?' }] },
    timestamp,
  },
  artifacts: [{ artifactId: 'a', name: 'n', parts: [{ text: 'x' }] }],
  history: [{ messageId: 'm', role: 'ROLE_USER', content: [{ text: 'go' }] }],
  metadata: { a: 1 },
}

test('a task', () => {
  expect(jsonShape.task(task)).toEqual(asJson)
  expect(protoShape.task(task)).toEqual(asProto)
})

test('a frame of a task or a message is named by kind in JSON, and by its member in ProtoJSON', () => {
  expect(jsonShape.frame({ task })).toEqual(asJson)
  expect(protoShape.frame({ task })).toEqual({ task: asProto })
  expect(jsonShape.frame({ message: question })).toEqual(asJson.status.message)
  expect(protoShape.frame({ message: question })).toEqual({ message: asProto.status.message })
})

test('an event of an artifact', () => {
  const update = { ...place, append: true, lastChunk: true }
  const frame = { artifactUpdate: { ...update, artifact: task.artifacts![0]! } }
  expect(jsonShape.frame(frame)).toEqual({
    kind: 'artifact-update',
    ...update,
    artifact: asJson.artifacts[0],
  })
  expect(protoShape.frame(frame)).toEqual({ artifactUpdate: { ...update, artifact: asProto.artifacts[0] } })
})

test('an event of a status says whether it is final: always in JSON, where it is in ProtoJSON', () => {
  const frame = { statusUpdate: { ...place, status: { state: 'TASK_STATE_WORKING' as const } } }
  const update = { kind: 'status-update', ...place, status: { state: 'working' } }
  expect(jsonShape.frame(frame)).toEqual({ ...update, final: false })
  expect(jsonShape.frame(frame, true)).toEqual({ ...update, final: true })
  expect(protoShape.frame(frame)).toEqual(frame)
  expect(protoShape.frame(frame, true)).toEqual({ statusUpdate: { ...frame.statusUpdate, final: true } })
})

test('the states', () => {
  const states = (shape: typeof jsonShape) =>
    taskStates.map((state) => (shape.task({ ...task, status: { state } }).status as { state: string }).state)
  expect(states(jsonShape)).toEqual([
    'unknown',
    'submitted',
    'working',
    'completed',
    'failed',
    'canceled',
    'input-required',
    'rejected',
    'auth-required',
  ])
  expect(states(protoShape)).toEqual(
    taskStates.map((state) => (state === 'TASK_STATE_CANCELED' ? 'TASK_STATE_CANCELLED' : state)),
  )
})

describe('an error', () => {
  const error = new A2AError(
    'UnsupportedOperationError',
    'The task has ended in TASK_STATE_CANCELED and has no more events: GetTask returns it.',
    { metadata: { taskId: 'T', state: 'TASK_STATE_CANCELED' } },
  )
  const dataWith = (state: string) => ({ reason: 'UNSUPPORTED_OPERATION', metadata: { taskId: 'T', state } })

  test('has the words of JSON-RPC there', () => {
    const message = 'The task has ended in canceled and has no more events: tasks/get returns it.'
    expect(JSON.parse(jsonRpcError03(7, error))).toEqual({
      jsonrpc: '2.0',
      id: 7,
      error: { code: -32004, message, data: dataWith('canceled') },
    })
  })

  test('has the words of the proto over HTTP+JSON', () => {
    const message = 'The task has ended in TASK_STATE_CANCELLED and has no more events: GetTask returns it.'
    expect(JSON.parse(httpJsonError03(error))).toEqual({
      code: -32004,
      message,
      data: dataWith('TASK_STATE_CANCELLED'),
    })
  })

  test.each([
    ['message.parts[2].raw', 'message.parts[2].file.bytes', 'message.content[2].file.fileWithBytes'],
    ['message.parts[0].mediaType', 'message.parts[0].file.mimeType', 'message.content[0].file.mimeType'],
    ['configuration.returnImmediately', 'configuration.blocking', 'configuration.blocking'],
    [
      'configuration.taskPushNotificationConfig.url',
      'configuration.pushNotificationConfig.url',
      'configuration.pushNotification.url',
    ],
  ])('names %s as its client does', (field, inJson, inProto) => {
    const refusal = invalid(field, 'is bad')
    for (const [said, name] of [
      [JSON.parse(jsonRpcError03(null, refusal)).error, inJson],
      [JSON.parse(httpJsonError03(refusal)), inProto],
    ]) {
      expect(said.message).toBe(`Invalid parameters: ${name} is bad`)
      expect(said.data.fieldViolations).toEqual([{ field: name, description: 'is bad' }])
    }
  })
})
