// The tasks' rows: each task as of its last event, but for its artifacts.
import type { TaskState } from '../protocol/index.ts'
import { isTerminal, taskStates } from '../protocol/index.ts'
import type { TaskIds } from '../telemetry/index.ts'
import type { Db } from './database.ts'
import type { Turn } from './turn.ts'

export interface TaskRow {
  task: number
  id: string
  owner: string
  contextId: string
  state: TaskState
  /** TaskStatus as JSON. */
  status: string
  statusTime: number
  /** Message[] as JSON. */
  history: string
  /** Characters of the snapshot of its artifacts; 0 if it has none. */
  artifactsSize: number
  /** Characters of the artifact events after that snapshot. */
  artifactsTail: number
  /** The snapshot, Artifact[] as JSON, while it is small; else the table of snapshots has it. */
  snapshot: string | null
  /** The event as of which it is. */
  snapshotEvent: number
  /** How many artifacts it has emitted. */
  artifacts: number
  /** The bytes of all its artifact events. */
  artifactBytes: number
  metadata: string | null
  lastEvent: number
  due: number | null
  wait: string | null
  expiresAt: number | null
  cancel: string | null
  /** How many of its push configs take events. */
  push: number
  /** The trace that it belongs to, as `traceparent`. */
  trace: string | null
}

const columns = `task, id, owner, context_id AS contextId, state, status, status_time AS statusTime, history,
  artifacts_size AS artifactsSize, artifacts_tail AS artifactsTail, snapshot, snapshot_event AS snapshotEvent, artifacts, artifact_bytes AS artifactBytes, metadata, last_event AS lastEvent, due, wait,
  expires_at AS expiresAt, cancel, push, trace`

const toRow = (stored: unknown): TaskRow | undefined => {
  const row = stored as TaskRow | undefined
  if (row) row.state = taskStates[row.state as unknown as number]!
  return row
}

const numberOf = (state: TaskState): number => taskStates.indexOf(state)

/** Finds rows on the connection `db`: the writer's sees its open transaction, the reader's only what is committed. */
export function createTaskReader(db: Db) {
  const byId = db.prepare(`SELECT ${columns} FROM tasks WHERE id = ?`)
  const byKey = db.prepare(`SELECT ${columns} FROM tasks WHERE task = ?`)
  const ids = db.prepare('SELECT id, context_id AS contextId, trace FROM tasks WHERE task = ?')
  return {
    /** The task with this id, if it is `owner`'s: somebody else's is as unknown as none. */
    find(id: string, owner: string): TaskRow | undefined {
      const row = toRow(byId.get(id))
      return row?.owner === owner ? row : undefined
    },
    /** The task with this id, whoever owns it: for what an operator does, who owns none. */
    findForOperator: (id: string): TaskRow | undefined => toRow(byId.get(id)),
    get: (task: number): TaskRow | undefined => toRow(byKey.get(task)),
    /** The task's ids and trace, without the rest of its row. */
    ids: (task: number) => ids.get(task) as TaskIds | undefined,
  }
}

/** Puts rows and counts into SQLite, at the end of a turn. By position, since names cost as much again. */
export function createTaskInserts(db: Db) {
  const insert = db.prepare(
    `INSERT INTO tasks (task, id, owner, context_id, metadata, trace, state, status, status_time, history, due, wait, expires_at, cancel,
       artifacts_size, artifacts_tail, snapshot, snapshot_event, artifacts, artifact_bytes, last_event)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const all = db.prepare(
    `UPDATE tasks SET state = ?, status = ?, status_time = ?, history = ?, due = ?, wait = ?, expires_at = ?, cancel = ?,
       artifacts_size = ?, artifacts_tail = ?, snapshot = ?, snapshot_event = ?, artifacts = ?, artifact_bytes = ?,
       last_event = ? WHERE task = ?`,
  )
  const artifacts = db.prepare(
    `UPDATE tasks SET artifacts_size = ?, artifacts_tail = ?, snapshot = ?, snapshot_event = ?, artifacts = ?, artifact_bytes = ?,
       last_event = ? WHERE task = ?`,
  )
  const count = db.prepare(
    `INSERT INTO counts (owner, state, tasks) VALUES (?, ?, ?)
     ON CONFLICT (owner, state) DO UPDATE SET tasks = tasks + excluded.tasks`,
  )
  const statusOf = (row: TaskRow) =>
    [
      numberOf(row.state),
      row.status,
      row.statusTime,
      row.history,
      row.due,
      row.wait,
      row.expiresAt,
      row.cancel,
    ] as const
  const artifactsOf = (row: TaskRow) =>
    [
      row.artifactsSize,
      row.artifactsTail,
      row.snapshot,
      row.snapshotEvent,
      row.artifacts,
      row.artifactBytes,
      row.lastEvent,
    ] as const
  return {
    insert(row: TaskRow): void {
      const { task, id, owner, contextId, metadata, trace } = row
      insert.run(task, id, owner, contextId, metadata, trace, ...statusOf(row), ...artifactsOf(row))
    },
    update(row: TaskRow, columns: 'artifacts' | 'all'): void {
      if (columns === 'all') all.run(...statusOf(row), ...artifactsOf(row), row.task)
      else artifacts.run(...artifactsOf(row), row.task)
    },
    count: (owner: string, state: number, more: number): void => void count.run(owner, state, more),
  }
}

/** What the writer reads and changes: the rows with what the open turn has made of them. */
export function createTaskWriter(db: Db, turn: Turn, settle: () => void) {
  const stored = createTaskReader(db)
  const open = taskStates.flatMap((state, number) => (isTerminal(state) ? [] : [number]))
  const openOf = db
    .prepare(`SELECT coalesce(sum(tasks), 0) FROM counts WHERE owner = ? AND state IN (${open.join()})`)
    .pluck()
  const contextOwner = db.prepare('SELECT owner FROM tasks WHERE context_id = ? LIMIT 1').pluck()
  const due = db.prepare('SELECT task FROM tasks WHERE due IS NOT NULL ORDER BY due').pluck()
  const lastDue = db.prepare('SELECT max(due) FROM tasks WHERE due IS NOT NULL').pluck()
  const nextExpiry = db.prepare('SELECT min(expires_at) FROM tasks WHERE expires_at IS NOT NULL').pluck()
  const expired = db.prepare('SELECT task FROM tasks WHERE expires_at <= ? ORDER BY expires_at').pluck()
  // A key is not given again while the process lives: what is still under way for a purged task must meet no other one.
  let lastTask = (db.prepare('SELECT max(task) FROM tasks').pluck().get() as number | null) ?? 0
  return {
    get: (task: number): TaskRow | undefined => turn.row(task) ?? stored.get(task),
    /** Whether the open turn has made the task, so that it is not stored yet. */
    isNew: turn.isNew,
    find(id: string, owner: string): TaskRow | undefined {
      settle()
      return stored.find(id, owner)
    },
    findForOperator(id: string): TaskRow | undefined {
      settle()
      return stored.findForOperator(id)
    },
    /** The key of the next new task. */
    newKey: (): number => ++lastTask,
    insert(row: TaskRow): void {
      turn.add(row)
      turn.count(row.owner, numberOf(row.state), 1)
    },
    saveStatus(row: TaskRow, before: TaskState): void {
      turn.save(row, 'all')
      if (row.state === before) return
      turn.count(row.owner, numberOf(before), -1)
      turn.count(row.owner, numberOf(row.state), 1)
    },
    saveArtifacts: (row: TaskRow): void => turn.save(row, 'artifacts'),
    /** Saves what is neither of its status nor of its artifacts. */
    saveWork: (row: TaskRow): void => turn.save(row, 'all'),
    /** How many tasks of the owner have not ended. */
    openOf(owner: string): number {
      const more = turn.counted(owner)
      return open.reduce((sum, state) => sum + (more.get(state) ?? 0), openOf.get(owner) as number)
    },
    /** Who owns the context, or undefined if it has no task. */
    contextOwner(contextId: string): string | undefined {
      for (const row of turn.rows()) if (row.contextId === contextId) return row.owner
      return contextOwner.get(contextId) as string | undefined
    },
    /** The tasks that have work to do, in the order in which it came up. */
    due(): number[] {
      settle()
      return due.all() as number[]
    },
    lastDue: () => (lastDue.get() as number | null) ?? 0,
    nextExpiry(): number | null {
      settle()
      return nextExpiry.get() as number | null
    },
    expiredAt(now: number): number[] {
      settle()
      return expired.all(now) as number[]
    },
  }
}

export type TaskReader = ReturnType<typeof createTaskReader>
export type TaskWriter = ReturnType<typeof createTaskWriter>
