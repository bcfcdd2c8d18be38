// Each operation over each binding of each version, called so that it succeeds: what `docs/conformance.md` shows as served.
import { conformance } from '@a2a-kit/conformance'
import type { Task } from '@a2a-kit/task-core/protocol'
import { describe, expect, test } from 'vitest'
import { type Binding, bindings, type Probe, startProbe, userMessage } from './support/probe.ts'
import { allFrames, framesUntil } from './support/sse.ts'
import { httpJson03, jsonRpc03, talk03 } from './support/v03.ts'

/** Calls the operation over the binding, and holds that it gives its result. */
type Succeeds = (binding: Binding) => Promise<void>

/** An agent, the result of each call to it over `binding`, and a task of it that waits. */
async function start(binding: Binding) {
  const probe: Probe = await startProbe()
  const call = async (operation: string, params: object) => {
    const { result, error } = await probe.call(binding, operation, params)
    expect(error).toBeUndefined()
    return result
  }
  const waiting: Task = (await call('SendMessage', { message: userMessage('ask What?') })).task
  return { probe, call, waiting }
}

const hook = 'https://client.example/hook'

/** The same, with a push notification config on the waiting task. */
async function startWithConfig(binding: Binding) {
  const started = await start(binding)
  const params = { taskId: started.waiting.id, url: hook }
  return { ...started, config: await started.call('CreateTaskPushNotificationConfig', params) }
}

/** An agent whose extended card is for alice. */
const startExtended = () =>
  startProbe({
    agent: { ...conformance, extended: { description: 'For those who are known.' } },
    callerTokens: { alice: 'a-token-of-alice-1' },
  })
const alice = { Authorization: 'Bearer a-token-of-alice-1' }

const current: { [operation: string]: Succeeds } = {
  async SendMessage(binding) {
    const { call } = await start(binding)
    const { task } = await call('SendMessage', { message: userMessage('complete done') })
    expect(task.status.state).toBe('TASK_STATE_COMPLETED')
  },
  async SendStreamingMessage(binding) {
    const { probe } = await start(binding)
    const message = userMessage('working; artifact a b')
    const frames = await allFrames(await probe.stream(binding, 'SendStreamingMessage', { message }))
    expect(frames.at(-1)!.statusUpdate!.status.state).toBe('TASK_STATE_COMPLETED')
  },
  async GetTask(binding) {
    const { call, waiting } = await start(binding)
    expect(await call('GetTask', { id: waiting.id })).toEqual(waiting)
  },
  async ListTasks(binding) {
    const { call, waiting } = await start(binding)
    expect(await call('ListTasks', {})).toMatchObject({ tasks: [{ id: waiting.id }], totalSize: 1 })
  },
  async CancelTask(binding) {
    const { call, waiting } = await start(binding)
    const { status } = await call('CancelTask', { id: waiting.id })
    expect(status.state).toBe('TASK_STATE_CANCELED')
  },
  async SubscribeToTask(binding) {
    const { probe, call, waiting } = await start(binding)
    const stream = await probe.stream(binding, 'SubscribeToTask', { id: waiting.id })
    expect((await stream.frames.next()).value.task).toEqual(waiting)
    await call('CancelTask', { id: waiting.id })
    await framesUntil(stream, 'TASK_STATE_CANCELED')
  },
  async CreateTaskPushNotificationConfig(binding) {
    const { config, waiting } = await startWithConfig(binding)
    expect(config).toEqual({ id: expect.any(String), taskId: waiting.id, url: hook })
  },
  async GetTaskPushNotificationConfig(binding) {
    const { call, config, waiting } = await startWithConfig(binding)
    const params = { taskId: waiting.id, id: config.id }
    expect(await call('GetTaskPushNotificationConfig', params)).toEqual(config)
  },
  async ListTaskPushNotificationConfigs(binding) {
    const { call, config, waiting } = await startWithConfig(binding)
    const listed = await call('ListTaskPushNotificationConfigs', { taskId: waiting.id })
    expect(listed.configs).toEqual([config])
  },
  async DeleteTaskPushNotificationConfig(binding) {
    const { call, config, waiting } = await startWithConfig(binding)
    await call('DeleteTaskPushNotificationConfig', { taskId: waiting.id, id: config.id })
    const left = await call('ListTaskPushNotificationConfigs', { taskId: waiting.id })
    expect(left.configs ?? []).toEqual([])
  },
  async GetExtendedAgentCard(binding) {
    const { result } = await (await startExtended()).call(binding, 'GetExtendedAgentCard', {}, alice)
    expect(result.description).toBe('For those who are known.')
  },
}

/** A client of 0.3 over `binding`, and a task that waits. */
async function start03(binding: Binding) {
  const probe = await startProbe()
  const client = (binding === 'JSONRPC' ? jsonRpc03 : httpJson03)(talk03(`${probe.url}/a2a`))
  return { url: probe.url, client, waiting: (await client.send('ask What?')).task }
}

/** The four operations on push notification configs of a waiting task of 0.3, with one config that has been set. */
async function startWithConfig03(binding: Binding) {
  const { url, waiting } = await start03(binding)
  const { rpc, rest } = talk03(`${url}/a2a`)
  const { id: taskId } = waiting
  const at = `/tasks/${taskId}/pushNotificationConfigs`
  const named = { id: taskId, pushNotificationConfigId: 'mine' }
  const config = { pushNotificationConfig: { id: 'mine', url: hook } }
  const over = async (method: string, params: object, ...[verb, path, body]: Parameters<typeof rest>) => {
    const answer =
      binding === 'JSONRPC'
        ? await rpc(`tasks/pushNotificationConfig/${method}`, params)
        : await rest(verb, path, body)
    expect([answer.status, answer.body.error]).toEqual([200, undefined])
    return answer.body.result ?? answer.body
  }
  const set = await over('set', { taskId, ...config }, 'POST', at, config)
  return {
    set,
    get: () => over('get', named, 'GET', `${at}/mine`),
    list: async () => {
      const all = await over('list', { id: taskId }, 'GET', at)
      return all.configs ?? all
    },
    remove: () => over('delete', named, 'DELETE', `${at}/mine`),
  }
}

/** Those of 0.3, which lists no tasks: by the names that 1.0 gives them. */
const older: { [operation: string]: Succeeds } = {
  async SendMessage(binding) {
    const { client } = await start03(binding)
    const { task } = await client.send('complete done')
    expect(task.status.state).toBe(client.state('COMPLETED'))
  },
  async SendStreamingMessage(binding) {
    const { client } = await start03(binding)
    const events = await Array.fromAsync(client.stream('working; artifact a b'))
    expect(events.at(-1)!.status.status.state).toBe(client.state('COMPLETED'))
  },
  async GetTask(binding) {
    const { client, waiting } = await start03(binding)
    expect((await client.get(waiting.id)).task).toEqual(waiting)
  },
  async CancelTask(binding) {
    const { client, waiting } = await start03(binding)
    const { task } = await client.cancel(waiting.id)
    expect(task.status.state).toBe(client.state('CANCELED'))
  },
  async SubscribeToTask(binding) {
    const { client, waiting } = await start03(binding)
    const events = client.subscribe(waiting.id)
    expect((await events.next()).value.task).toEqual(waiting)
    await client.cancel(waiting.id)
    const rest = await Array.fromAsync(events)
    expect(rest.at(-1)!.status.status.state).toBe(client.state('CANCELED'))
  },
  async CreateTaskPushNotificationConfig(binding) {
    const { set } = await startWithConfig03(binding)
    expect(set.pushNotificationConfig).toEqual({ id: 'mine', url: hook })
  },
  async GetTaskPushNotificationConfig(binding) {
    const { get, set } = await startWithConfig03(binding)
    expect(await get()).toEqual(set)
  },
  async ListTaskPushNotificationConfigs(binding) {
    const { list, set } = await startWithConfig03(binding)
    expect(await list()).toEqual([set])
  },
  async DeleteTaskPushNotificationConfig(binding) {
    const { list, remove } = await startWithConfig03(binding)
    await remove()
    expect(await list()).toEqual([])
  },
  async GetExtendedAgentCard(binding) {
    const { rpc, rest } = talk03(`${(await startExtended()).url}/a2a`)
    const { body } =
      binding === 'JSONRPC'
        ? await rpc('agent/getAuthenticatedExtendedCard', undefined, alice)
        : await rest('GET', '/card', undefined, alice)
    expect((body.result ?? body).description).toBe('For those who are known.')
  },
}

interface Served {
  version: string
  bindings: readonly Binding[]
  operations: { [operation: string]: Succeeds }
  /** The requirements that its tests hold together, as they stand in a title. */
  holds: string
}

const served: Served[] = [
  { version: '1.0', bindings, operations: current, holds: ' [BIND-EQUIV-001]' },
  { version: '0.3', bindings: ['JSONRPC', 'HTTP+JSON'], operations: older, holds: '' },
]

describe('each operation succeeds', () => {
  for (const { version, bindings: over, operations, holds } of served) {
    for (const [operation, succeeds] of Object.entries(operations)) {
      for (const binding of over) {
        test(`${operation} over ${binding} of ${version}${holds}`, () => succeeds(binding))
      }
    }
  }
})
