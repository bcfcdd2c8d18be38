// A task of the kit that waits for input: clients subscribe to it, and what it is told makes events.
import { randomUUID } from 'node:crypto'
import type { Task } from '@a2a-kit/task-core/protocol'
import { post, request, sendMessage } from './a2a.ts'

/** The number of the event with which it began to wait: submitted, working, input-required. */
export const waitsSince = 3

export interface WaitingTask {
  /** The body of a SubscribeToTask. */
  subscription: string
  /** Sends `script` as the answer, in the conformance agent's language, and returns when that is stored. `hang` makes one event: working. */
  tell(script: string): Promise<void>
  cancel(): Promise<void>
}

/** @throws Error that shows what the agent answered, if it does not wait */
export async function waitingTask(url: string): Promise<WaitingTask> {
  async function state(body: string, expected: string): Promise<Task> {
    const reply = await post(url, body)
    const { result } = JSON.parse(reply) as { result?: Task & { task?: Task } }
    const task = result?.task ?? result
    if (task?.status?.state !== expected) throw new Error(`this is not ${expected}: ${reply.slice(0, 300)}`)
    return task
  }

  const { id } = await state(sendMessage('working; obey'), 'TASK_STATE_INPUT_REQUIRED')
  return {
    subscription: request('SubscribeToTask', { id }),
    async tell(script) {
      const message = { messageId: randomUUID(), taskId: id, role: 'ROLE_USER', parts: [{ text: script }] }
      const body = request('SendMessage', { message, configuration: { returnImmediately: true } })
      await state(body, 'TASK_STATE_WORKING')
    },
    async cancel() {
      await state(request('CancelTask', { id }), 'TASK_STATE_CANCELED')
    },
  }
}
