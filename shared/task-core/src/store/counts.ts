// How much there is of what: tasks by state, waits by kind, receivers that are behind. Cheap however many tasks are kept.
import { type TaskState, taskStates } from '../protocol/index.ts'
import type { Db } from './database.ts'

/** What a task can wait for, by how the keys of such waits begin; an index has these first three characters. */
const kinds = { question: 'ask', approval: 'aut', peer: 'fol' } as const

export function createCounts(db: Db) {
  const states = db.prepare('SELECT state, sum(tasks) AS tasks FROM counts GROUP BY state')
  const waits = db.prepare(
    `SELECT count(*) AS waits, min(status_time) AS since FROM tasks
     WHERE wait IS NOT NULL AND substr(wait, 1, 3) = ?`,
  )
  const due = db.prepare('SELECT count(*) FROM push_configs WHERE due = 1').pluck()
  const failing = db.prepare('SELECT count(*) FROM push_configs WHERE failing = 1').pluck()
  return {
    /** Of every state that a task can be in, those of which there are none too. */
    tasks(): { state: TaskState; tasks: number }[] {
      const found = new Map(
        (states.all() as { state: number; tasks: number }[]).map((one) => [one.state, one.tasks]),
      )
      return taskStates.slice(1).map((state, index) => ({ state, tasks: found.get(index + 1) ?? 0 }))
    },
    /** `since` is when the oldest of them began, in ms; null if there is none. */
    waits: () =>
      Object.entries(kinds).map(([kind, begins]) => ({
        kind,
        ...(waits.get(begins) as { waits: number; since: number | null }),
      })),
    /** Receivers of push notifications with events to send, and those that were given up. */
    outbox: () => ({ due: due.get() as number, failing: failing.get() as number }),
  }
}
