// Sends messages in each way and gives the task at the end.
import type { Task } from '@a2a-kit/task-core/protocol'
import type { Binding, Probe } from './probe.ts'
import type { Sending } from './refusals.ts'
import { allFrames } from './sse.ts'

export interface Way {
  binding: Binding
  operation: Sending
}

/** The task once the call has returned, or its stream has ended. */
export async function send(probe: Probe, { binding, operation }: Way, params: object): Promise<Task> {
  if (operation === 'SendMessage') {
    const { result, error } = await probe.call(binding, operation, params)
    if (error) throw new Error(`refused: ${error.message}`)
    return result.task
  }
  const frames = await allFrames(await probe.stream(binding, operation, params))
  return get(probe, frames[0]!.task!.id, binding)
}

export async function get(probe: Probe, id: string, binding: Binding = 'JSONRPC'): Promise<Task> {
  const { result, error } = await probe.call(binding, 'GetTask', { id })
  if (error) throw new Error(`refused: ${error.message}`)
  return result
}
