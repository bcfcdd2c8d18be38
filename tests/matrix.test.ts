// Each operation over each binding of each version, called so that it succeeds: what `docs/conformance.md` shows as served.
import { conformance } from '@a2a-kit/conformance'
import type { Task } from '@a2a-kit/task-core/protocol'
import { describe, expect, test } from 'vitest'
import { type Binding, bindings, type Probe, startProbe, userMessage } from './support/probe.ts'
import { allFrames, framesUntil } from './support/sse.ts'

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
  async GetExtendedAgentCard(binding) {
    const { result } = await (await startExtended()).call(binding, 'GetExtendedAgentCard', {}, alice)
    expect(result.description).toBe('For those who are known.')
  },
}

interface Served {
  version: string
  bindings: readonly Binding[]
  operations: { [operation: string]: Succeeds }
  /** The requirements that its tests hold together, as they stand in a title. */
  holds: string
}

const served: Served[] = [{ version: '1.0', bindings, operations: current, holds: ' [BIND-EQUIV-001]' }]

describe('each operation succeeds', () => {
  for (const { version, bindings: over, operations, holds } of served) {
    for (const [operation, succeeds] of Object.entries(operations)) {
      for (const binding of over) {
        test(`${operation} over ${binding} of ${version}${holds}`, () => succeeds(binding))
      }
    }
  }
})
