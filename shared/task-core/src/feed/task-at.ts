// A task as it stood at one of its events, folded from the log.
import { fold, type StreamResponse, type Task } from '../protocol/index.ts'
import type { EventReader } from '../store/index.ts'

/** The task at event `n`, which it has had. Reads the log up to there. */
export function taskAt(events: Pick<EventReader, 'between'>, task: number, n: number): Task {
  let seen: Task | undefined
  for (const { frame, history } of events.between(task, 0, n)) {
    const event = JSON.parse(frame) as StreamResponse
    seen = fold(seen, history ? { frame: event, history } : { frame: event })
  }
  return seen!
}
