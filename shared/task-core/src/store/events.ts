// The event log: what happened to each task, numbered from 1, never changed.
import { type Message, type TaskState, taskStates } from '../protocol/index.ts'
import type { Db } from './database.ts'

export interface LoggedEvent {
  /** Its number in the task. */
  n: number
  /** StreamResponse as JSON, the text that every binding sends. */
  frame: string
  /** The state that the event entered; undefined for an artifact. */
  state: TaskState | undefined
}

/** An event with what it adds to the history, which no frame carries. */
export interface StoredEvent extends LoggedEvent {
  history: Message[] | undefined
}

const perTask = 2 ** 24

/** Reads the log on the connection `db`. */
export function createEventReader(db: Db) {
  const range = db.prepare(
    'SELECT place, state, frame FROM events WHERE place > ? AND place < ? ORDER BY place LIMIT ?',
  )
  const whole = db.prepare(
    'SELECT place, state, frame, history FROM events WHERE place > ? AND place <= ? ORDER BY place',
  )
  type Row = { place: number; state: number | null; frame: string; history?: string | null }
  const toEvent = (row: Row): LoggedEvent => ({
    n: row.place % perTask,
    frame: row.frame,
    state: row.state === null ? undefined : taskStates[row.state],
  })
  return {
    /** At most `limit` events of the task after event `n`, in order. */
    after: (task: number, n: number, limit: number): LoggedEvent[] =>
      (range.all(task * perTask + n, (task + 1) * perTask, limit) as Row[]).map(toEvent),
    /** The events after `from` up to and with `to`, one at a time. */
    *between(task: number, from: number, to: number): Generator<StoredEvent> {
      for (const row of whole.iterate(task * perTask + from, task * perTask + to) as Iterable<Row>) {
        yield { ...toEvent(row), history: row.history ? (JSON.parse(row.history) as Message[]) : undefined }
      }
    },
  }
}

/** Adds to the log. Only the engine's writer calls this. */
export function createEventWriter(db: Db) {
  const insert = db.prepare('INSERT INTO events (place, state, frame, history) VALUES (?, ?, ?, ?)')
  return {
    append(task: number, { n, frame, state }: LoggedEvent, history?: Message[]): void {
      if (n >= perTask) throw new Error(`Task ${task} has more events than the log can number.`)
      const added = history?.length ? JSON.stringify(history) : null
      insert.run(task * perTask + n, state === undefined ? null : taskStates.indexOf(state), frame, added)
    },
  }
}

export type EventReader = ReturnType<typeof createEventReader>
export type EventWriter = ReturnType<typeof createEventWriter>
