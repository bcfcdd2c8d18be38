// The tasks' rows: each task as of its last event, but for its artifacts.
import type { TaskState } from '../protocol/index.ts'
import { isTerminal, taskStates } from '../protocol/index.ts'
import type { TaskIds } from '../telemetry/index.ts'
import type { Db } from './database.ts'

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
  artifacts_size AS artifactsSize, artifacts_tail AS artifactsTail, artifacts, artifact_bytes AS artifactBytes, metadata, last_event AS lastEvent, due, wait,
  expires_at AS expiresAt, cancel, push, trace`

const toRow = (stored: unknown): TaskRow | undefined => {
  if (!stored) return undefined
  const { state, ...row } = stored as Omit<TaskRow, 'state'> & { state: number }
  return { ...row, state: taskStates[state]! }
}

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

/** Changes rows. Only the engine's writer calls these. */
export function createTaskWriter(db: Db) {
  const insert = db.prepare(
    `INSERT INTO tasks (task, id, owner, context_id, state, status, status_time, history, artifacts_size,
       artifacts_tail, metadata, last_event, due, trace)
     VALUES (@task, @id, @owner, @contextId, @state, @status, @statusTime, @history, 0, 0, @metadata, 1, @due, @trace)`,
  )
  const status = db.prepare(
    `UPDATE tasks SET state = @state, status = @status, status_time = @statusTime, history = @history,
       artifacts_size = @artifactsSize, artifacts_tail = @artifactsTail,
       last_event = @lastEvent, due = @due, wait = @wait, expires_at = @expiresAt WHERE task = @task`,
  )
  const artifacts = db.prepare(
    `UPDATE tasks SET artifacts_size = @artifactsSize, artifacts_tail = @artifactsTail, artifacts = @artifacts,
       artifact_bytes = @artifactBytes, last_event = @lastEvent WHERE task = @task`,
  )
  const work = db.prepare('UPDATE tasks SET due = ?, wait = ?, expires_at = ? WHERE task = ?')
  const cancel = db.prepare('UPDATE tasks SET cancel = ?, due = ? WHERE task = ?')
  const count = db.prepare(
    `INSERT INTO counts (owner, state, tasks) VALUES (?, ?, ?)
     ON CONFLICT (owner, state) DO UPDATE SET tasks = tasks + excluded.tasks`,
  )
  const open = taskStates.flatMap((state, number) => (isTerminal(state) ? [] : [number])).join()
  const openOf = db
    .prepare(`SELECT coalesce(sum(tasks), 0) FROM counts WHERE owner = ? AND state IN (${open})`)
    .pluck()
  const contextOwner = db.prepare('SELECT owner FROM tasks WHERE context_id = ? LIMIT 1').pluck()
  const due = db.prepare('SELECT task FROM tasks WHERE due IS NOT NULL ORDER BY due').pluck()
  const lastDue = db.prepare('SELECT max(due) FROM tasks WHERE due IS NOT NULL').pluck()
  const nextExpiry = db.prepare('SELECT min(expires_at) FROM tasks WHERE expires_at IS NOT NULL').pluck()
  const expired = db.prepare('SELECT task FROM tasks WHERE expires_at <= ? ORDER BY expires_at').pluck()
  // A key is not given again while the process lives: what is still under way for a purged task must meet no other one.
  let lastTask = (db.prepare('SELECT max(task) FROM tasks').pluck().get() as number | null) ?? 0
  const number = (state: TaskState) => taskStates.indexOf(state)
  return {
    insert(row: TaskRow): number {
      const task = ++lastTask
      insert.run({ ...row, task, state: number(row.state) })
      count.run(row.owner, number(row.state), 1)
      return task
    },
    saveStatus(row: TaskRow, before: TaskState): void {
      status.run({ ...row, state: number(row.state) })
      if (row.state === before) return
      count.run(row.owner, number(before), -1)
      count.run(row.owner, number(row.state), 1)
    },
    saveArtifacts: (row: TaskRow): void => void artifacts.run(row),
    saveWork: (row: TaskRow): void => void work.run(row.due, row.wait, row.expiresAt, row.task),
    saveCancel: (row: TaskRow): void => void cancel.run(row.cancel, row.due, row.task),
    /** How many tasks of the owner have not ended. */
    openOf: (owner: string) => openOf.get(owner) as number,
    /** Who owns the context, or undefined if it has no task. */
    contextOwner: (contextId: string) => contextOwner.get(contextId) as string | undefined,
    /** The tasks that have work to do, in the order in which it came up. */
    due: () => due.all() as number[],
    lastDue: () => (lastDue.get() as number | null) ?? 0,
    nextExpiry: () => nextExpiry.get() as number | null,
    expiredAt: (now: number) => expired.all(now) as number[],
  }
}

export type TaskReader = ReturnType<typeof createTaskReader>
export type TaskWriter = ReturnType<typeof createTaskWriter>
