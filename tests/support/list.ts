// Lists of tasks for the tests: an agent whose clock the test sets, and what a page gives.
import { realWorld } from '@a2a-kit/task-core'
import type { Task } from '@a2a-kit/task-core/protocol'
import { type Binding, type Probe, startProbe, userMessage } from './probe.ts'
import { send as sendMessage } from './send.ts'

/** When the first status is recorded. */
export const start = Date.parse('2026-10-06T09:00:00.000Z')
export const iso = (time: number) => new Date(time).toISOString()

/** An agent whose statuses are recorded at the time that the test sets. */
export async function startAt() {
  const clock = { time: start }
  const probe = await startProbe({ world: { ...realWorld, statusTime: () => clock.time } })
  /** Sends a message and waits for its task to end or to wait. */
  const send = (text: string, more: object = {}): Promise<Task> =>
    sendMessage(probe, { binding: 'JSONRPC', operation: 'SendMessage' }, { message: userMessage(text, more) })
  return { probe, clock, send }
}

export const list = async (probe: Probe, binding: Binding, params: object) => {
  const { result, error } = await probe.call(binding, 'ListTasks', params)
  if (error) throw new Error(error.message)
  return result as { tasks: Task[]; nextPageToken: string; pageSize: number; totalSize: number }
}
export const idsOf = (tasks: Task[]) => tasks.map(({ id }) => id)
