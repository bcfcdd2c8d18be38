// The one table of the transitions that a task can make. The protocol gives none; this is what the kit does.
import type { TaskState } from '../protocol/index.ts'

const ends = [
  'TASK_STATE_COMPLETED',
  'TASK_STATE_FAILED',
  'TASK_STATE_CANCELED',
  'TASK_STATE_REJECTED',
] as const satisfies TaskState[]
const waits = ['TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_AUTH_REQUIRED'] as const satisfies TaskState[]

export const transitions: Readonly<Record<TaskState, readonly TaskState[]>> = {
  TASK_STATE_UNSPECIFIED: [],
  TASK_STATE_SUBMITTED: ['TASK_STATE_WORKING', ...waits, ...ends],
  TASK_STATE_WORKING: ['TASK_STATE_WORKING', ...waits, ...ends], // again: a progress text
  // Out of a wait only by an answer, an approval or the other party's going on, or to an end. One wait can
  // replace another where an agent mirrors a peer's.
  TASK_STATE_INPUT_REQUIRED: ['TASK_STATE_WORKING', ...waits, ...ends],
  TASK_STATE_AUTH_REQUIRED: ['TASK_STATE_WORKING', ...waits, ...ends],
  TASK_STATE_COMPLETED: [],
  TASK_STATE_FAILED: [],
  TASK_STATE_CANCELED: [],
  TASK_STATE_REJECTED: [],
}

/** @throws Error for a transition that is not in the table: a bug, which must not become a row in the store */
export function checkTransition(from: TaskState, to: TaskState): void {
  if (!transitions[from].includes(to)) throw new Error(`A task cannot go from ${from} to ${to}.`)
}
