// The SDK's own clients of 0.3 over both of its bindings: from the card through both waits, streams, cancel and errors.
import {
  type AgentCard,
  Role,
  type SendMessageRequest,
  type StreamResponse,
  type Task,
  TaskState,
} from '@a2a-js/sdk'
import {
  type Client,
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from '@a2a-js/sdk/client'
import { describe, expect, test } from 'vitest'
import { operate } from './support/operator.ts'
import { startProbe } from './support/probe.ts'
import { until } from './support/wait.ts'

const legacyCompat = { enabled: true }

/** A client made as its users make it, from the pure card of 0.3. */
async function start(binding: string) {
  const probe = await startProbe()
  const factory = new ClientFactory(
    ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
      cardResolver: new DefaultAgentCardResolver({ legacyCompat }),
      transports: [new JsonRpcTransportFactory({ legacyCompat }), new RestTransportFactory({ legacyCompat })],
      preferredTransports: [binding],
    }),
  )
  const url = `${probe.url}/.well-known/agent-card.json`
  const response = await fetch(url, { headers: { 'A2A-Version': '0.3' } })
  const card = (await response.json()) as AgentCard
  const client = await factory.createFromAgentCard(card)
  expect(client.transport).toMatchObject({ protocolName: binding, protocolVersion: '0.3' })
  return { probe, client }
}

let made = 0
const saying = (text: string, more: { taskId?: string } = {}): SendMessageRequest => ({
  tenant: '',
  message: {
    messageId: `sdk-03-${process.pid}-${++made}`,
    contextId: '',
    taskId: more.taskId ?? '',
    role: Role.ROLE_USER,
    parts: [{ content: { $case: 'text', value: text }, metadata: undefined, filename: '', mediaType: '' }],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  },
  configuration: undefined,
  metadata: undefined,
})

const send = async (client: Client, text: string, more?: { taskId?: string }): Promise<Task> =>
  (await client.sendMessage(saying(text, more))) as Task

const stateOf = ({ payload }: StreamResponse) =>
  payload?.$case === 'statusUpdate' || payload?.$case === 'task' ? payload.value.status!.state : undefined

describe.each(['JSONRPC', 'HTTP+JSON'])('over %s', (binding) => {
  test('a question, its answer, an approval, and the end', async () => {
    const { probe, client } = await start(binding)
    const asked = await send(client, 'ask Which branch?; authorize it')
    expect(asked.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED)
    expect(asked.status?.message?.parts[0]?.content).toEqual({ $case: 'text', value: 'Which branch?' })
    const waiting = await send(client, 'main', { taskId: asked.id })
    expect(waiting.status?.state).toBe(TaskState.TASK_STATE_AUTH_REQUIRED)
    await operate(probe, 'approve', asked.id)
    const done = await until('the end', async () => {
      const task = await client.getTask({ tenant: '', id: asked.id })
      return task.status?.state === TaskState.TASK_STATE_COMPLETED && task
    })
    expect(done.artifacts).toHaveLength(2)
    expect(done.history.map(({ role }) => role)).toEqual([Role.ROLE_USER, Role.ROLE_AGENT, Role.ROLE_USER])
  })

  test('a stream to a question, and one from its answer to the end', async () => {
    const { client } = await start(binding)
    const events = await Array.fromAsync(client.sendMessageStream(saying('working; ask Which?')))
    expect(events.map(stateOf)).toEqual([
      TaskState.TASK_STATE_SUBMITTED,
      TaskState.TASK_STATE_WORKING,
      TaskState.TASK_STATE_INPUT_REQUIRED,
    ])
    const { payload } = events[0]!
    const taskId = payload?.$case === 'task' ? payload.value.id : ''
    const further = await Array.fromAsync(client.sendMessageStream(saying('main', { taskId })))
    expect(stateOf(further[0]!)).toBe(TaskState.TASK_STATE_WORKING)
    expect(stateOf(further.at(-1)!)).toBe(TaskState.TASK_STATE_COMPLETED)
  })

  test('a subscription through both waits', async () => {
    const { probe, client } = await start(binding)
    const { id } = await send(client, 'ask Which?; authorize it')
    const states: unknown[] = []
    for await (const event of client.resubscribeTask({ tenant: '', id })) {
      const state = stateOf(event)
      if (state !== undefined) states.push(state)
      if (state === TaskState.TASK_STATE_INPUT_REQUIRED) void send(client, 'main', { taskId: id })
      if (state === TaskState.TASK_STATE_AUTH_REQUIRED) await operate(probe, 'approve', id)
    }
    expect(states).toEqual([
      TaskState.TASK_STATE_INPUT_REQUIRED,
      TaskState.TASK_STATE_WORKING,
      TaskState.TASK_STATE_AUTH_REQUIRED,
      TaskState.TASK_STATE_WORKING,
      TaskState.TASK_STATE_COMPLETED,
    ])
  })

  test('cancel, and the errors of an unknown and of an ended task', async () => {
    const { client } = await start(binding)
    const request = { ...saying('sleep 60000'), configuration: polling }
    const { id } = (await client.sendMessage(request)) as Task
    const canceled = await client.cancelTask({ tenant: '', id, metadata: undefined })
    expect(canceled.status?.state).toBe(TaskState.TASK_STATE_CANCELED)
    const again = client.cancelTask({ tenant: '', id, metadata: undefined })
    await expect(again).rejects.toMatchObject({ name: 'TaskNotCancelableError' })
    await expect(client.getTask({ tenant: '', id: 'T' })).rejects.toMatchObject({ name: 'TaskNotFoundError' })
    await expect(send(client, 'more', { taskId: id })).rejects.toMatchObject({
      name: 'UnsupportedOperationError',
    })
  })

  test('files and data arrive as they were sent', async () => {
    const { client } = await start(binding)
    const request = saying('ask Which?')
    const rest = { metadata: undefined, filename: '', mediaType: '' }
    request.message!.parts.push(
      { ...rest, content: { $case: 'raw', value: Buffer.from('bytes') }, mediaType: 'text/plain' },
      { ...rest, content: { $case: 'url', value: 'https://example.com/a' }, mediaType: 'text/plain' },
      { ...rest, content: { $case: 'data', value: { a: [1, null] } } },
    )
    const { history } = (await client.sendMessage(request)) as Task
    expect(history[0]!.parts.map(({ content }) => content)).toEqual(
      request.message!.parts.map(({ content }) => content),
    )
  })
})

const polling = {
  acceptedOutputModes: [],
  taskPushNotificationConfig: undefined,
  historyLength: undefined,
  returnImmediately: true,
}
