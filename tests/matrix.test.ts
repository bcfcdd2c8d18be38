// Each operation over each binding of each version, called so that it succeeds: what `docs/conformance.md` shows as served.
import { conformance } from '@a2a-kit/conformance'
import type { Task } from '@a2a-kit/task-core/protocol'
import { describe, expect, test } from 'vitest'
import { type Binding, bindings, type Probe, startProbe, userMessage } from './support/probe.ts'
import { allFrames, framesUntil } from './support/sse.ts'

const headers = { Authorization: 'Bearer a-token-of-alice-1' }

/** An agent that offers all there is. */
const startAgent = () =>
  startProbe({
    agent: { ...conformance, extended: { description: 'For those who are known.' } },
    callerTokens: { alice: 'a-token-of-alice-1' },
  })

type Succeeds = (probe: Probe, binding: Binding) => Promise<void>

async function call(probe: Probe, binding: Binding, operation: string, params: object) {
  const { result, error } = await probe.call(binding, operation, params, headers)
  expect(error).toBeUndefined()
  return result
}

const waitingTask = async (probe: Probe, binding: Binding): Promise<Task> =>
  (await call(probe, binding, 'SendMessage', { message: userMessage('ask What?') })).task

const current: { [operation: string]: Succeeds } = {
  async SendMessage(probe, binding) {
    const { task } = await call(probe, binding, 'SendMessage', { message: userMessage('complete done') })
    expect(task.status.state).toBe('TASK_STATE_COMPLETED')
  },
  async SendStreamingMessage(probe, binding) {
    const message = userMessage('working; artifact a b')
    const frames = await allFrames(await probe.stream(binding, 'SendStreamingMessage', { message }, headers))
    expect(frames.at(-1)!.statusUpdate!.status.state).toBe('TASK_STATE_COMPLETED')
  },
  async GetTask(probe, binding) {
    const task = await waitingTask(probe, binding)
    expect(await call(probe, binding, 'GetTask', { id: task.id })).toEqual(task)
  },
  async ListTasks(probe, binding) {
    const { id } = await waitingTask(probe, binding)
    const { tasks, totalSize } = await call(probe, binding, 'ListTasks', {})
    expect([tasks[0].id, totalSize]).toEqual([id, 1])
  },
  async CancelTask(probe, binding) {
    const { id } = await waitingTask(probe, binding)
    const { status } = await call(probe, binding, 'CancelTask', { id })
    expect(status.state).toBe('TASK_STATE_CANCELED')
  },
  async SubscribeToTask(probe, binding) {
    const task = await waitingTask(probe, binding)
    const stream = await probe.stream(binding, 'SubscribeToTask', { id: task.id }, headers)
    expect((await stream.frames.next()).value.task).toEqual(task)
    await call(probe, binding, 'CancelTask', { id: task.id })
    await framesUntil(stream, 'TASK_STATE_CANCELED')
  },
  async GetExtendedAgentCard(probe, binding) {
    const card = await call(probe, binding, 'GetExtendedAgentCard', {})
    expect(card.description).toBe('For those who are known.')
  },
}

/** What is served: an entry for each version, with its bindings and operations. */
const served = [{ version: '1.0', bindings, operations: current, holds: ' [BIND-EQUIV-001]' }]

const rows = served.flatMap(({ version, bindings: over, operations, holds }) =>
  Object.entries(operations).flatMap(([operation, succeeds]) =>
    over.map((binding) => ({
      title: `${operation} over ${binding} of ${version}${holds}`,
      binding,
      succeeds,
    })),
  ),
)

describe('each operation succeeds', () => {
  for (const { title, binding, succeeds } of rows) {
    test(title, async () => succeeds(await startAgent(), binding))
  }
})
