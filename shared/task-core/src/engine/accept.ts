// Takes a client's message: a repeat is recognised, a new task is made, or the one wait that is open is answered.
import { hash } from 'node:crypto'
import {
  A2AError,
  invalid,
  isInterrupted,
  isTerminal,
  type Message,
  type SendMessageRequest,
  type TaskStatus,
} from '../protocol/index.ts'
import type { Settings } from '../settings.ts'
import type { TaskRow } from '../store/index.ts'
import { noteTask, outside } from '../telemetry/index.ts'
import type { Core } from './core.ts'
import { digestOfWait } from './decide.ts'
import type { WaitRecord } from './journal.ts'
import { type Configured, putPushConfig } from './pushes.ts'
import { placed } from './writer.ts'

/** A message to accept, and where the events of its task go from then on. */
export interface Acceptable extends Pick<SendMessageRequest, 'message' | 'metadata'> {
  push?: Configured | undefined
}

/** The task that took the message, as of its acceptance. */
export interface Accepted {
  row: TaskRow
  /** True if this very message was accepted before. */
  repeated: boolean
}

/**
 * Accepts the message of `owner`, and resolves once that is committed. `start` is called with the task then, or, of one that the message
 * begins, at once.
 * @throws A2AError by the identifier rules (§3.4), with nothing stored
 */
export async function accept(
  core: Core,
  owner: string,
  { message, metadata, push }: Acceptable,
  start: (task: number) => void,
): Promise<Accepted> {
  const { agent, store, writer, settings, world } = core
  const { tasks, messages, records, authorizations } = store.writing
  const digest = hash('sha256', JSON.stringify(message), 'base64url')

  // What begins a task touches nothing that others have, and its run goes on in the same turn.
  const begins = message.taskId === undefined && !push
  const accepted = begins ? store.append(take) : await store.write(take)
  if (begins && !accepted.repeated) outside(() => start(accepted.row.task))
  if (begins) await store.stored()
  return accepted

  function take(): Accepted {
    const before = settings.deduplicate ? messages.find(owner, message.messageId) : undefined
    if (before) {
      if (before.digest === digest) return { row: tasks.get(before.task)!, repeated: true }
      throw invalid(
        'message.messageId',
        'was used before, with another content: a new message needs a new id',
      )
    }
    const accepted = message.taskId === undefined ? create() : answer(message.taskId)
    noteTask(accepted)
    // Every event from this acceptance on: the last one, whether it made the task or took the answer.
    if (push) putPushConfig(core, accepted, push, accepted.lastEvent - 1)
    if (settings.deduplicate) messages.insert(owner, message.messageId, digest, accepted.task)
    if (!begins) store.afterCommit(() => start(accepted.task))
    return { row: accepted, repeated: false }
  }

  function create(): TaskRow {
    if (message.contextId !== undefined) checkContextId(message.contextId)
    checkOpenTasks()
    const created = writer.create(owner, message, agent.taskMetadata)
    if (metadata) records.put(created.task, 'request', { metadata })
    return created
  }

  /** In the transaction that makes the task, so that no two get in where one has room. */
  function checkOpenTasks(): void {
    const { maxOpenTasksPerCaller: most } = settings
    if (most === 0 || tasks.openOf(owner) < most) return
    const why = `Too many open tasks: this agent keeps ${most} that have not ended for one caller. Answer or cancel some, or wait until some have ended.`
    throw new A2AError('TooManyRequestsError', why, { metadata: { limit: 'open tasks' } })
  }

  function checkContextId(contextId: string): void {
    const contextOwner = tasks.contextOwner(contextId)
    if (contextOwner !== undefined && contextOwner !== owner) {
      throw invalid('message.contextId', 'cannot be used: leave it out, and the answer has a new one')
    }
  }

  function answer(taskId: string): TaskRow {
    const found = tasks.find(taskId, owner)
    if (!found) throw taskNotFound(taskId)
    if (message.contextId !== undefined && message.contextId !== found.contextId) {
      throw invalid('message.contextId', "is not the task's: send the task's contextId, or leave it out")
    }
    if (found.cancel || !found.wait || !isInterrupted(found.state)) throw notWaiting(found)
    const theirs = placed(message, found)
    const question = (JSON.parse(found.status) as TaskStatus).message
    const history: Message[] = question ? [question, theirs] : [theirs]
    checkHistory(found, history, settings)
    const asked = digestOfWait(found.wait)
    if (asked) authorizations.message(found.task, asked, owner, world.now(), message.messageId)
    records.put(found.task, found.wait, { outcome: 'message', message: theirs } satisfies WaitRecord)
    writer.status(found, 'TASK_STATE_WORKING', { history, work: true })
    return found
  }
}

/**
 * Holds the history to its limits. The task goes on waiting: an operator may still approve, and its wait ends in time by itself.
 * @throws A2AError InvalidParamsError, by which an agent that follows the task tells it from an answer that came too late
 */
function checkHistory(row: TaskRow, more: Message[], { maxHistory, maxHistoryBytes }: Settings): void {
  const count = (JSON.parse(row.history) as Message[]).length + more.length
  const bytes = Buffer.byteLength(row.history) + Buffer.byteLength(JSON.stringify(more))
  if (count <= maxHistory && bytes <= maxHistoryBytes) return
  const limit = count > maxHistory ? `${maxHistory} messages` : `${maxHistoryBytes} bytes`
  throw invalid(
    'message.taskId',
    `names a task whose history would have more than ${limit}: cancel it and start a new task, and name this one in referenceTaskIds`,
  )
}

/** TaskNotFoundError, the same for a task that never was, was purged, or is somebody else's (§3.3.2). */
export const taskNotFound = (taskId: string): A2AError =>
  new A2AError('TaskNotFoundError', 'The task does not exist or is not accessible.', { metadata: { taskId } })

function notWaiting({ id: taskId, state, cancel }: TaskRow): A2AError {
  const why = isTerminal(state)
    ? `The task has ended in ${state} and takes no more messages: start a new task, and name this one in referenceTaskIds.`
    : cancel
      ? 'The task is being canceled and takes no more messages.'
      : `The task is in ${state} and takes a message only while it waits, in TASK_STATE_INPUT_REQUIRED or TASK_STATE_AUTH_REQUIRED.`
  return new A2AError('UnsupportedOperationError', why, { metadata: { taskId, state } })
}
