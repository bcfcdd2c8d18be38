// The operations for 0.3 clients, over ones that tell what they were asked.
import { expect, test } from 'vitest'
import { type Call, Left, type Operations } from '../operations/index.ts'
import { createJsonOperations, createProtoOperations } from './operations.ts'

const call = { caller: { id: 'c', authenticated: true }, left: new Left() } satisfies Call
const config = { id: 'c', taskId: 'T', url: 'https://example.com', authentication: { scheme: 'Bearer' } }
const nested = { id: 'c', url: 'https://example.com', authentication: { schemes: ['Bearer'] } }
const inJson = { taskId: 'T', pushNotificationConfig: nested }
const inProto = { name: 'tasks/T/pushNotificationConfigs/c', pushNotificationConfig: nested }

/** Operations that answer with `answers`, and note what they were asked. */
function noting(answers: { [operation: string]: object }) {
  const asked: [operation: string, params: unknown][] = []
  const unary = new Proxy({} as Operations['unary'], {
    get: (_, operation: string) => async (params: unknown) => {
      asked.push([operation, params])
      return JSON.stringify(answers[operation])
    },
  })
  const streaming = new Proxy({} as Operations['streaming'], {
    get: () => async () => {
      throw new Error('no stream')
    },
  })
  return { asked, operations: { unary, streaming } }
}

const answers = {
  CreateTaskPushNotificationConfig: config,
  GetTaskPushNotificationConfig: config,
  ListTaskPushNotificationConfigs: { configs: [config, { ...config, id: 'd' }] },
  DeleteTaskPushNotificationConfig: {},
}

test.each([
  ['CreateTaskPushNotificationConfig', inJson, config, inJson, inProto],
  [
    'GetTaskPushNotificationConfig',
    { id: 'T', pushNotificationConfigId: 'c' },
    { taskId: 'T', id: 'c' },
    inJson,
    inProto,
  ],
  [
    'DeleteTaskPushNotificationConfig',
    { id: 'T', pushNotificationConfigId: 'c' },
    { taskId: 'T', id: 'c' },
    null,
    {},
  ],
] as const)('%s is translated both ways', async (operation, params, asks, json, proto) => {
  for (const [create, expected] of [
    [createJsonOperations, json],
    [createProtoOperations, proto],
  ] as const) {
    const { asked, operations } = noting(answers)
    expect(JSON.parse(await create(operations).unary[operation](params, call))).toEqual(expected)
    expect(asked).toEqual([[operation, asks]])
  }
})

test('configs are a list in JSON, and inside an object in ProtoJSON', async () => {
  const { asked, operations } = noting(answers)
  const list = async (create: typeof createJsonOperations) =>
    JSON.parse(await create(operations).unary.ListTaskPushNotificationConfigs({ id: 'T' }, call))
  expect(await list(createJsonOperations)).toMatchObject([inJson, { pushNotificationConfig: { id: 'd' } }])
  expect((await list(createProtoOperations)).configs).toMatchObject([
    inProto,
    { name: expect.stringMatching(/d$/) },
  ])
  expect(asked[0]).toEqual(['ListTaskPushNotificationConfigs', { taskId: 'T' }])
})

test('a config that is asked for without its id is the first of the task', async () => {
  const get = ({ operations }: ReturnType<typeof noting>) =>
    createJsonOperations(operations).unary.GetTaskPushNotificationConfig({ id: 'T' }, call)
  expect(JSON.parse(await get(noting(answers)))).toEqual(inJson)
  await expect(get(noting({ ListTaskPushNotificationConfigs: {} }))).rejects.toMatchObject({
    name: 'TaskNotFoundError',
  })
})

test('tasks cannot be listed', async () => {
  const { operations } = noting({})
  await expect(createJsonOperations(operations).unary.ListTasks({}, call)).rejects.toMatchObject({
    name: 'MethodNotFoundError',
  })
})

test('a stream that is refused fails in its stream in JSON, and before it in ProtoJSON', async () => {
  const { operations } = noting({})
  const frames = await createJsonOperations(operations).streaming.SubscribeToTask({ id: 'T' }, call)
  expect(() => frames.take()).toThrow('no stream')
  await expect(
    createProtoOperations(operations).streaming.SubscribeToTask({ id: 'T' }, call),
  ).rejects.toThrow('no stream')
})
