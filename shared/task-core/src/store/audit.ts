// The audit log: who did what to which approval request, and when. Only ever added to, which triggers in the schema hold.
import Database from 'better-sqlite3'
import type { Struct } from '../protocol/index.ts'
import type { Db } from './database.ts'

/** `message` is one of the client to a request that waits, which may correct it, withdraw it or ask; what came of it follows. */
export type AuditAction =
  | 'asked'
  | 'message'
  | 'approved'
  | 'denied'
  | 'revoked'
  | 'used'
  | 'expired'
  | 'void'

export interface AuditEntry {
  entry: number
  /** In ms since the epoch. */
  at: number
  action: AuditAction
  taskId: string
  contextId: string
  /** The owner of the task. */
  requester: string
  digest: string
  operation: Struct
  /** The operator's name, the caller's, `the agent`, or the key of the step that used the approval; null for what time did. */
  by: string | null
  reason: string | null
}

/** What is not said is as the request has it. */
export interface AuditNote {
  task: number
  digest: string
  action: AuditAction
  at: number
  by?: string | null
  reason?: string | null | undefined
}

/** Adds to the log, on the writer's connection. */
export function createAuditWriter(db: Db) {
  const insert = db.prepare(
    `INSERT INTO audit (at, action, task_id, context_id, requester, digest, operation, by, reason)
     SELECT @at, @action, id, context_id, owner, digest, operation, @by, @reason
     FROM authorizations JOIN tasks USING (task) WHERE task = @task AND digest = @digest`,
  )
  return {
    /** Notes what was just done to the request of `task` with `digest`, in the same transaction. */
    note: (note: AuditNote): void => void insert.run({ by: null, reason: null, ...note }),
  }
}

/** Reads the log on any connection that sees it. */
function createAuditReader(db: Db) {
  const columns =
    'entry, at, action, task_id AS taskId, context_id AS contextId, requester, digest, operation, by, reason'
  const all = db.prepare(`SELECT ${columns} FROM audit WHERE at >= ? ORDER BY entry`)
  const ofTask = db.prepare(`SELECT ${columns} FROM audit WHERE task_id = ? AND at >= ? ORDER BY entry`)
  return {
    /** The entries since `since` (ms), oldest first, of one task or of all; read one by one, however many there are. */
    *entries({ taskId, since = 0 }: { taskId?: string | undefined; since?: number }): Generator<AuditEntry> {
      const rows = taskId === undefined ? all.iterate(since) : ofTask.iterate(taskId, since)
      for (const row of rows as Iterable<Omit<AuditEntry, 'operation'> & { operation: string }>) {
        yield { ...row, operation: JSON.parse(row.operation) as Struct }
      }
    },
  }
}

/**
 * Opens the log in the database `file` for reading, also while an agent runs on it.
 * @throws Error that names the file: it cannot be opened, or has no such log
 */
export function openAudit(file: string) {
  try {
    const db = new Database(file, { readonly: true, fileMustExist: true })
    return { ...createAuditReader(db), close: () => void db.close() }
  } catch (error) {
    throw new Error(`${file} has no audit log to read: ${(error as Error).message}`, { cause: error })
  }
}
