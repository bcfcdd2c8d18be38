// The client over gRPC, to the kit's own agents: both waits to their ends, watches that go on through drops, and what it says of failures.
import { type AgentClient, type ConnectOptions, connect } from '@a2a-kit/client'
import type { Message, TaskState } from '@a2a-kit/task-core/protocol'
import { expect, test } from 'vitest'
import { gate, testAgent } from './support/agent.ts'
import { type Probe, startProbe, userMessage } from './support/probe.ts'
import { untilState } from './support/wait.ts'

const overGrpc = ({ url }: Pick<Probe, 'url'>, options: ConnectOptions = {}) =>
  connect(url, { bindings: ['GRPC'], retry: { firstMs: 20, longestMs: 200 }, ...options })

const message = (text: string, more: object = {}) => userMessage(text, more) as Message

/** The states that a watch tells, the text of its artifacts, and the ids of its events. */
async function watched(client: AgentClient, id: string, options = {}) {
  const states: TaskState[] = []
  const ids: (string | undefined)[] = []
  let last: Awaited<ReturnType<AgentClient['getTask']>> | undefined
  for await (const { event, eventId, task } of client.watch(id, options)) {
    const status = (event.task ?? event.statusUpdate)?.status
    if (status) states.push(status.state)
    ids.push(eventId)
    last = structuredClone(task)
  }
  return { states, ids, task: last! }
}

test('the agent is chosen by its GRPC entry where the client speaks nothing else, and every call works', async () => {
  const probe = await startProbe()
  const client = await overGrpc(probe)
  const { task } = await client.sendMessage(message('artifact a b; complete done'))
  expect(task).toMatchObject({ status: { state: 'TASK_STATE_COMPLETED' }, artifacts: [{ name: 'a' }] })
  expect(await client.getTask(task!.id, { historyLength: 0 })).not.toHaveProperty('history')
  expect((await client.listTasks({ pageSize: 1 })).tasks).toHaveLength(1)
  const { task: waiting } = await client.sendMessage(message('ask what?'))
  expect((await client.cancelTask(waiting!.id)).status.state).toBe('TASK_STATE_CANCELED')
  const events = await Array.fromAsync(client.sendStreamingMessage(message('working; complete')))
  expect(events.map(({ eventId }) => eventId)).toEqual(['1', '2', '3'])
})

test('HISTORY-LENGTH: 0 is sent as 0, and none comes', async () => {
  const client = await overGrpc(await startProbe())
  const { task } = await client.sendMessage(message('complete'), { historyLength: 0 })
  expect(task).not.toHaveProperty('history')
  expect(await client.getTask(task!.id, { historyLength: 0 })).not.toHaveProperty('history')
  expect((await client.listTasks({ historyLength: 0 })).tasks[0]).not.toHaveProperty('history')
  expect((await client.getTask(task!.id)).history).toHaveLength(1)
})

test('a task waits for an answer and goes on with it, over gRPC alone', async () => {
  const client = await overGrpc(await startProbe())
  const { task } = await client.sendMessage(message('ask which branch?; complete done'))
  expect(task!.status).toMatchObject({
    state: 'TASK_STATE_INPUT_REQUIRED',
    message: { parts: [{ text: 'which branch?' }] },
  })
  const whole = watched(client, task!.id)
  await client.sendMessage(message('main', { taskId: task!.id }))
  const { states, task: end } = await whole
  expect(states.at(-1)).toBe('TASK_STATE_COMPLETED')
  expect(end.id).toBe(task!.id)
})

test('a task waits for an operator, and its watch stays until it has ended, over gRPC alone', async () => {
  const probe = await startProbe()
  const client = await overGrpc(probe)
  const { task } = await client.sendMessage(message('authorize; complete done'))
  expect(task!.status.state).toBe('TASK_STATE_AUTH_REQUIRED')
  const whole = watched(client, task!.id)
  expect((await fetch(`${probe.url}/approve/${task!.id}`, { method: 'POST' })).status).toBe(200)
  expect((await whole).states.at(-1)).toBe('TASK_STATE_COMPLETED')
})

test('RESUB-GAP: a watch goes on through a restart of the agent, and sees every event once', async () => {
  const [first, second] = [gate(), gate()]
  const agent = testAgent(async (task) => {
    await task.working('one')
    await task.step('first', () => first.pass())
    await task.working('two')
    await task.step('second', () => second.pass())
    return 'done'
  })
  const probe = await startProbe({ agent })
  const client = await overGrpc(probe)
  const { task } = await client.sendMessage(message('go'), { returnImmediately: true })
  const whole = watched(client, task!.id)
  first.open()
  await second.entered
  const { dataDir, port, grpcPort } = probe
  await probe.close()
  const again = await startProbe({ agent, dataDir, port, grpcPort })
  second.open()
  const { ids } = await whole
  const numbers = ids.map(Number)
  expect(numbers).toEqual(numbers.map((_, nth) => numbers[0]! + nth))
  await untilState(again, task!.id, 'COMPLETED')
})

test('a watch may begin at an event that was seen before', async () => {
  const client = await overGrpc(await startProbe())
  const { task } = await client.sendMessage(message('working; artifact a b; complete done'))
  const { ids } = await watched(client, task!.id, { lastEventId: '2' })
  expect(ids).toEqual(['2', '3', '4'])
})

test('an agent that is away is tried again, and given up with what was wrong', async () => {
  const probe = await startProbe()
  const client = await overGrpc(probe, { retry: { attempts: 2, firstMs: 1 } })
  await probe.close()
  await expect(client.getTask('T')).rejects.toMatchObject({
    name: 'GaveUpError',
    tries: 2,
    message: expect.stringContaining('No answer from localhost'),
  })
})

test('what the agent refuses is thrown by its name, with the fields at fault', async () => {
  const client = await overGrpc(await startProbe())
  await expect(client.getTask('unknown')).rejects.toMatchObject({
    name: 'TaskNotFoundError',
    metadata: { taskId: 'unknown' },
    cause: { grpc: 'NOT_FOUND', status: 404 },
  })
  await expect(client.sendMessage(message('complete', { parts: [] }))).rejects.toMatchObject({
    name: 'InvalidParamsError',
    violations: [{ field: 'message.parts', description: 'is required' }],
  })
})

test('an abort ends a call and a watch with its reason, and the task goes on', async () => {
  const probe = await startProbe()
  const client = await overGrpc(probe)
  const stop = new AbortController()
  const { task } = await client.sendMessage(message('working; hang'), { returnImmediately: true })
  const watching = watched(client, task!.id, { signal: stop.signal })
  const waiting = client.sendMessage(message('working; hang'), { signal: stop.signal })
  await untilState(probe, task!.id, 'WORKING')
  stop.abort(new Error('enough'))
  await expect(watching).rejects.toThrow('enough')
  await expect(waiting).rejects.toThrow('enough')
  expect((await client.getTask(task!.id)).status.state).toBe('TASK_STATE_WORKING')
})
