// Carries a cancel down to a task that was started at another agent.
import type { Delegation } from '../../define-agent.ts'
import { A2AError, type Task, textOf } from '../../protocol/index.ts'
import { type FollowRecord, firstMessage } from './followed.ts'

/** How long the other agent may take over it, in ms: the client of the canceled task waits for this. */
const patience = 8000

/** Another's words within ours: a chain of agents quotes quotes. */
const quoted = (words: string): string => `"${words.replaceAll('"', "'")}"`

/**
 * Cancels the followed task. Never throws.
 * @returns what came of it, as a sentence for the status message
 */
export async function passCancelOn(
  { agent, message }: Delegation,
  record: FollowRecord,
  stop: AbortSignal,
): Promise<string> {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(patience)])
  let { taskId } = record
  try {
    taskId ??= await findTask()
    const task = await agent.cancelTask(taskId, { signal }).catch((error) => ended(error, taskId!))
    const said = textOf(task.status.message)
    return `${agent.name}'s task ${taskId} is in ${task.status.state}${said ? `: ${quoted(said)}` : '.'}`
  } catch (error) {
    const which = taskId ? `task ${taskId}` : 'task'
    return `${agent.name}'s ${which} could not be canceled and may go on: ${(error as Error).message}`
  }

  /** The answer to the first message was lost: the same message again finds its task. */
  async function findTask(): Promise<string> {
    const again = await agent.sendMessage(firstMessage(record, message), { returnImmediately: true, signal })
    if (!again.task) throw new Error('it answered with a message and no task')
    return again.task.id
  }

  function ended(error: unknown, id: string): Promise<Task> {
    if (!(error instanceof A2AError) || error.name !== 'TaskNotCancelableError') throw error
    return agent.getTask(id, { signal })
  }
}
