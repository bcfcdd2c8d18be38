// What a client says and hears, in short, over JSON-RPC.
import { textOf } from '@a2a-kit/task-core'
import type { Task } from '@a2a-kit/task-core/protocol'
import { type Answer, type Probe, userMessage } from './probe.ts'

type Talks = Pick<Probe, 'call'>

/** Starts a task and does not wait for it. @returns its id */
export async function begin({ call }: Talks, text = 'go', more: object = {}): Promise<string> {
  const configuration = { returnImmediately: true }
  const { result } = await call('JSONRPC', 'SendMessage', { message: userMessage(text, more), configuration })
  return result.task.id
}

/** The task when its blocking call has returned. */
export async function send({ call }: Talks, text: string, more: object = {}): Promise<Task> {
  return (await call('JSONRPC', 'SendMessage', { message: userMessage(text, more) })).result.task
}

/** Sends `text` to a task that waits, and does not wait for what comes of it. */
export function answer({ call }: Talks, taskId: string, text: string): Promise<Answer> {
  const configuration = { returnImmediately: true }
  return call('JSONRPC', 'SendMessage', { message: userMessage(text, { taskId }), configuration })
}

/** The text of the task's status message. */
export const says = ({ status }: Pick<Task, 'status'>): string => textOf(status.message)
