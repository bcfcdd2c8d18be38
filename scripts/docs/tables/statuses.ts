// The statuses of tasks that captures hold, in answers, frames and push notifications.
import type { Json } from '@a2a-kit/task-core'
import { type TaskState, taskStates } from '@a2a-kit/task-core/protocol'
import type { Exchange } from '../../../capture/model.ts'
import { isObject } from '../path.ts'
import { MarkerError } from '../problem.ts'

export interface Seen {
  taskId: string
  state: TaskState
  /** In ms since the epoch, by the clock of the agent whose task it is. */
  at: number
}

/** All statuses that `exchange` shows, in the order in which they arrived. */
export function statusesOf({ to, request, answer }: Exchange): Seen[] {
  const sent = to === 'webhook' ? request.body : undefined
  return [sent, answer.body, ...(answer.frames ?? []).map(({ data }) => data)].flatMap(statusesIn)
}

/**
 * The statuses in a task, an event or whatever holds some; those of A2A 0.3 by the names of 1.0.
 * @throws MarkerError for a state that the protocol does not have
 */
export function statusesIn(value: Json | undefined): Seen[] {
  if (!isObject(value)) return []
  const { status } = value
  const taskId = value.taskId ?? value.id
  const own = typeof taskId === 'string' && isObject(status) ? seen(taskId, status) : []
  return [...own, ...Object.values(value).flatMap(statusesIn)]
}

function seen(taskId: string, { state, timestamp }: Record<string, Json>): Seen[] {
  if (typeof state !== 'string' || typeof timestamp !== 'string') return []
  const name = state.startsWith('TASK_STATE_')
    ? state
    : `TASK_STATE_${state.toUpperCase().replaceAll('-', '_')}`
  const known = taskStates.find((one) => one === name)
  if (!known) throw new MarkerError(`Task ${taskId} is in ${state}, and there is no such state.`)
  return [{ taskId, state: known, at: Date.parse(timestamp) }]
}
