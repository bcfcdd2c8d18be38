// What is known of one task that is watched, and which of the things that arrive are news.
import { isDeepStrictEqual } from 'node:util'
import { A2AError, fold, type Task } from '@a2a-kit/task-core/protocol'
import type { StreamEvent } from './transport.ts'

/** An event, its id where the agent gives ids, and the task after it. */
export interface WatchedEvent extends StreamEvent {
  task: Task
}

// No event carries history, so it is not what makes a snapshot differ from what the events have told.
const differs = (a: Task, b: Task) =>
  !isDeepStrictEqual({ ...a, history: undefined }, { ...b, history: undefined })

/** Copies what `fold` changes in place, and no content. */
const copy = (task: Task): Task => ({
  ...task,
  ...(task.artifacts && { artifacts: task.artifacts.map((one) => ({ ...one, parts: [...one.parts] })) }),
})

/**
 * The sightings of a task. With `replays`, event ids are the events' numbers in the task, and what has a number that was
 * seen is not news.
 */
export function sightings(
  taskId: string,
  { replays, lastEventId }: { replays: boolean; lastEventId: string | undefined },
) {
  let known: Task | undefined
  let marked: Task | undefined
  let position = lastEventId

  const remember = ({ event, eventId }: StreamEvent): Task => {
    known = fold(known, { frame: event })
    position = eventId ?? position
    return copy(known)
  }
  /** How far behind (negative) or ahead of the last event that was seen this one is; NaN where there are no numbers. */
  const distance = (eventId?: string) =>
    replays && known ? Number(eventId ?? 'none') - Number(position ?? 'none') : Number.NaN

  return {
    get task() {
      return known
    },
    /** The id of the last event that was seen. */
    get lastEventId() {
      return position
    },
    /** Is the task as it stands another than at the last call of this? */
    moved(): boolean {
      const before = marked
      marked = known && copy(known)
      return marked !== undefined && (!before || differs(before, marked))
    },
    /** Takes in what a stream brought; undefined if it is no news. */
    event(sighted: StreamEvent): WatchedEvent | undefined {
      const { event, eventId } = sighted
      const ahead = distance(eventId)
      if (!isOf(taskId, known, sighted)) {
        throw new A2AError(
          'InvalidAgentResponseError',
          `A stream of task ${taskId} must begin with it and be about it alone.`,
        )
      }
      if (!event.task) return ahead <= 0 ? undefined : { ...sighted, task: remember(sighted) }
      // An older snapshot than what is known tells nothing; one of the same moment has the history besides.
      if (ahead < 0) return undefined
      const news = ahead !== 0 && (!known || differs(known, event.task))
      const task = remember(sighted)
      return news ? { ...sighted, task } : undefined
    },
    /** Takes in what GetTask gave; undefined if it is no news. */
    snapshot(task: Task): WatchedEvent | undefined {
      if (known && !differs(known, task)) return undefined
      const event = { task }
      return { event, task: remember({ event }) }
    },
  }
}

function isOf(taskId: string, known: Task | undefined, { event }: StreamEvent): boolean {
  if (event.task) return event.task.id === taskId
  return known !== undefined && (event.statusUpdate ?? event.artifactUpdate)?.taskId === taskId
}
