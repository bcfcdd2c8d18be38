// The nine task states (§4.1.3): their numbers in the proto and the class of each.
import type { TaskState } from './types.ts'

/** In the order of the proto, so that the index is the enum's number. */
export const taskStates = [
  'TASK_STATE_UNSPECIFIED',
  'TASK_STATE_SUBMITTED',
  'TASK_STATE_WORKING',
  'TASK_STATE_COMPLETED',
  'TASK_STATE_FAILED',
  'TASK_STATE_CANCELED',
  'TASK_STATE_INPUT_REQUIRED',
  'TASK_STATE_REJECTED',
  'TASK_STATE_AUTH_REQUIRED',
] as const satisfies readonly TaskState[]

const terminal: ReadonlySet<TaskState> = new Set([
  'TASK_STATE_COMPLETED',
  'TASK_STATE_FAILED',
  'TASK_STATE_CANCELED',
  'TASK_STATE_REJECTED',
])

/** True for completed, failed, canceled and rejected: the task never changes again. */
export const isTerminal = (state: TaskState): boolean => terminal.has(state)

/** True for the two states that wait: for an answer on the task, or for an authorization from outside. */
export const isInterrupted = (state: TaskState): boolean =>
  state === 'TASK_STATE_INPUT_REQUIRED' || state === 'TASK_STATE_AUTH_REQUIRED'

/** True where a blocking SendMessage returns (§3.2.2). */
export const endsBlockingWait = (state: TaskState): boolean => isTerminal(state) || isInterrupted(state)

/**
 * True for a state whose event is the last of a stream: every terminal state (§3.1.2) and input-required (§11.7).
 * Through auth-required a stream stays open, since the task may go on without a message (§7.6.1).
 */
export const endsStream = (state: TaskState): boolean =>
  isTerminal(state) || state === 'TASK_STATE_INPUT_REQUIRED'
