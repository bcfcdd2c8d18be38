// Reads an agent's database beside the running agent: the tasks since the last look, with their logs and decisions.
import type { StreamResponse } from '@a2a-kit/task-core/protocol'
import Database from 'better-sqlite3'
import type { Event, Row } from '../../crash/check-log.ts'

export interface Logged extends Row {
  state: number
  events: Event[]
  /** The frames of the events, parsed. */
  frames: StreamResponse[]
  decisions: { operation: string; outcome: string | null; used_by: string | null }[]
  /** What the audit log says of it, oldest first. */
  audit: { action: string; digest: string }[]
}

/** The tasks whose key is greater than `since`. */
export function readTasks(file: string, since: number): Logged[] {
  const db = new Database(file, { readonly: true, fileMustExist: true, timeout: 5000 })
  try {
    const log = db.prepare(
      'SELECT place - ? AS n, frame, history FROM events WHERE place > ? AND place < ? ORDER BY place',
    )
    const decided = db.prepare('SELECT * FROM authorizations WHERE task = ?')
    const audited = db.prepare('SELECT action, digest FROM audit WHERE task_id = ? ORDER BY entry')
    const rows = db.prepare('SELECT * FROM tasks WHERE task > ? ORDER BY task').all(since) as Row[]
    return rows.map((row) => {
      const base = row.task * perTask
      const events = log.all(base, base, base + perTask) as Event[]
      const frames = events.map(({ frame }) => JSON.parse(frame) as StreamResponse)
      const decisions = decided.all(row.task) as Logged['decisions']
      const audit = audited.all(row.id) as Logged['audit']
      return { ...(row as Logged), events, frames, decisions, audit }
    })
  } finally {
    db.close()
  }
}

/** Whether the file is whole, as far as SQLite can tell. */
export function isSound(file: string): boolean {
  const db = new Database(file, { readonly: true, fileMustExist: true, timeout: 5000 })
  try {
    return db.pragma('quick_check', { simple: true }) === 'ok'
  } finally {
    db.close()
  }
}

/** Whether the task is to be canceled, and has not ended. */
export function isCancelStored(file: string, taskId: string): boolean {
  const db = new Database(file, { readonly: true, fileMustExist: true, timeout: 5000 })
  try {
    const find = db.prepare(
      'SELECT count(*) FROM tasks WHERE id = ? AND cancel IS NOT NULL AND due IS NOT NULL',
    )
    return find.pluck().get(taskId) === 1
  } finally {
    db.close()
  }
}

const perTask = 2 ** 24
