// The frames of a task's stream: the task first, then what follows in the log, up to an event that ends streams.
import type { Core } from '../engine/core.ts'
import { endsStream, type TaskState } from '../protocol/index.ts'
import type { Frames } from './context.ts'

/** Where a stream begins: the task as of event `n`. */
export interface StreamStart {
  n: number
  state: TaskState
  /** Task as JSON. */
  task: string
}

/**
 * Begins with `start`. Ends with the event that enters input-required or a terminal state, if it is not older than `until`: a
 * question that is past does not end a replay. A stream that starts at a terminal state has one frame.
 */
export async function* framesFrom(
  core: Core,
  task: number,
  start: StreamStart,
  signal: AbortSignal,
  { until = 0, staysAtQuestion = false } = {},
): Frames {
  yield { id: String(start.n), data: `{"task":${start.task}}` }
  if (
    endsStream(start.state) &&
    start.n >= until &&
    !(staysAtQuestion && start.state === 'TASK_STATE_INPUT_REQUIRED')
  ) {
    return
  }
  for await (const { n, frame, state } of core.feed.follow(task, start.n, signal)) {
    const last = state && endsStream(state) && n >= until
    yield { id: String(n), data: frame, ...(last && { last }) }
    if (last) return
  }
}
