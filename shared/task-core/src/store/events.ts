// The event log: what happened to each task, numbered from 1, never changed.
import { type Message, type TaskState, taskStates } from '../protocol/index.ts'
import type { Db } from './database.ts'
import type { Turn } from './turn.ts'

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

/** How much is read at once: `most` events, or fewer if they have `enough` characters. */
export interface PageLimits {
  most: number
  enough: number
}

const perTask = 2 ** 24

/** Between which places the events of `task` are. */
export const placesOf = (task: number): [after: number, before: number] => [
  task * perTask,
  (task + 1) * perTask,
]

/** Reads the log on the connection `db`. */
export function createEventReader(db: Db) {
  const range = db.prepare(
    'SELECT place, state, frame FROM events WHERE place > ? AND place < ? ORDER BY place LIMIT ?',
  )
  const snapshot = db.prepare('SELECT event, artifacts FROM snapshots WHERE task = ?')
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
    /** The next events of the task after event `n`, in order. */
    after(task: number, n: number, { most, enough }: PageLimits): LoggedEvent[] {
      const page: LoggedEvent[] = []
      let size = 0
      for (const row of range.iterate(task * perTask + n, (task + 1) * perTask, most) as Iterable<Row>) {
        page.push(toEvent(row))
        size += row.frame.length
        if (size >= enough) break
      }
      return page
    },
    /** The task's artifacts as JSON, as of event `event`; undefined if it has had none. */
    snapshot: (task: number) => snapshot.get(task) as { event: number; artifacts: string } | undefined,
    /** The events after `from` up to and with `to`, one at a time. */
    *between(task: number, from: number, to: number): Generator<StoredEvent> {
      for (const row of whole.iterate(task * perTask + from, task * perTask + to) as Iterable<Row>) {
        yield { ...toEvent(row), history: row.history ? (JSON.parse(row.history) as Message[]) : undefined }
      }
    },
  }
}

/** How many events are put into SQLite at once: by then a statement costs little beside its rows. */
const atOnce = 8

/** Puts events and snapshots into SQLite, at the end of a turn. */
export function createEventInserts(db: Db) {
  /** By how many events they put there, from one on. */
  const inserts = Array.from({ length: atOnce }, (_, more) =>
    db.prepare(
      `INSERT INTO events (place, state, frame, history) VALUES (?, ?, ?, ?)${', (?, ?, ?, ?)'.repeat(more)}`,
    ),
  )
  const snapshot = db.prepare(
    `INSERT INTO snapshots (task, event, artifacts) VALUES (?, ?, ?)
     ON CONFLICT (task) DO UPDATE SET event = excluded.event, artifacts = excluded.artifacts`,
  )
  const valuesOf = (task: number, { n, frame, state, history }: StoredEvent) => [
    task * perTask + n,
    state === undefined ? null : taskStates.indexOf(state),
    frame,
    history?.length ? JSON.stringify(history) : null,
  ]
  return {
    snapshot: (task: number, event: number, artifacts: string): void =>
      void snapshot.run(task, event, artifacts),
    events(task: number, events: readonly StoredEvent[]): void {
      for (let from = 0; from < events.length; from += atOnce) {
        const some = events.slice(from, from + atOnce)
        inserts[some.length - 1]!.run(some.flatMap((event) => valuesOf(task, event)))
      }
    },
  }
}

/** What the writer reads of the log and adds to it. Only the engine's writer calls this. */
export function createEventWriter(db: Db, turn: Turn) {
  const stored = createEventReader(db)
  return {
    snapshot: (task: number) => turn.snapshot(task) ?? (turn.isNew(task) ? undefined : stored.snapshot(task)),
    *between(task: number, from: number, to: number): Generator<StoredEvent> {
      if (!turn.isNew(task)) yield* stored.between(task, from, to)
      for (const event of turn.events(task)) if (event.n > from && event.n <= to) yield event
    },
    saveSnapshot: (task: number, event: number, artifacts: string): void =>
      turn.snap(task, { event, artifacts }),
    append(task: number, event: LoggedEvent, history?: Message[]): void {
      if (event.n >= perTask) throw new Error(`Task ${task} has more events than the log can number.`)
      turn.log(task, event, history)
    },
  }
}

export type EventReader = ReturnType<typeof createEventReader>
export type EventWriter = ReturnType<typeof createEventWriter>
