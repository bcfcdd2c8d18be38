// A task as it stood at one of its events, folded from the log.
import { fold, type StreamResponse, type Task } from '../protocol/index.ts'
import type { EventReader, StoredEvent } from '../store/index.ts'

/** The task at event `n`, which it has had. Reads the log up to there. */
export const taskAt = (events: Pick<EventReader, 'between'>, task: number, n: number): Task =>
  foldOnto(undefined, events.between(task, 0, n))

/** The task after `events`, which follow on what `task` is; it is changed in place. */
export function foldOnto(task: Task | undefined, events: Iterable<StoredEvent>): Task {
  let seen = task
  for (const { frame, history } of events) {
    const event = JSON.parse(frame) as StreamResponse
    seen = fold(seen, history ? { frame: event, history } : { frame: event })
  }
  return seen!
}
