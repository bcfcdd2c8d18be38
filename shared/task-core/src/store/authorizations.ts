// What operators are asked to approve: each request by task and digest of its operation, and what became of it.
import type { Struct } from '../protocol/index.ts'
import { createAuditWriter } from './audit.ts'
import type { Db } from './database.ts'

export type Outcome = 'approved' | 'denied' | 'expired' | 'revoked' | 'void'

export interface Authorization {
  task: number
  digest: string
  operation: Struct
  askedAt: number
  expiresAt: number
  /** Null while it waits for a decision. */
  outcome: Outcome | null
  decidedBy: string | null
  decidedAt: number | null
  reason: string | null
  /** The key of the call under which the decision is recorded; null before there is one. */
  call: string | null
  /** The key of the step that an approval was used for, and when that was; null before. */
  usedBy: string | null
  usedAt: number | null
  /** 1 while it waits for a decision, or is approved and not used yet, and its task goes on. */
  live: 1 | null
}

const columns = `task, digest, operation, asked_at AS askedAt, expires_at AS expiresAt, outcome,
  decided_by AS decidedBy, decided_at AS decidedAt, reason, call, used_by AS usedBy, used_at AS usedAt, live`

const parse = (row: unknown): Authorization | undefined => {
  const found = row as (Omit<Authorization, 'operation'> & { operation: string }) | undefined
  return found && { ...found, operation: JSON.parse(found.operation) as Struct }
}

/** Finds requests on the connection `db`. */
export function createAuthorizationReader(db: Db) {
  const find = db.prepare(`SELECT ${columns} FROM authorizations WHERE task = ? AND digest = ?`)
  const latest = db.prepare(
    `SELECT ${columns} FROM authorizations WHERE task = ? ORDER BY outcome = 'void', asked_at DESC LIMIT 1`,
  )
  const other = db
    .prepare(
      'SELECT digest FROM authorizations WHERE task = ? AND digest != ? ORDER BY asked_at DESC LIMIT 1',
    )
    .pluck()
  const count = db.prepare('SELECT count(*) FROM authorizations WHERE task = ?').pluck()
  const open = db.prepare(
    `SELECT ${columns} FROM authorizations INDEXED BY authorizations_live
     WHERE live = 1 AND (task, digest) > (?, ?) ORDER BY task, digest LIMIT ?`,
  )
  const approved = db.prepare(
    `SELECT ${columns} FROM authorizations WHERE task = ? AND live = 1 AND outcome = 'approved' ORDER BY decided_at DESC`,
  )
  const live = db.prepare('SELECT 1 FROM authorizations WHERE task = ? AND live = 1 LIMIT 1').pluck()
  return {
    /** Whether the task has a request that waits for a decision, or an approval that is not used yet. */
    hasLive: (task: number) => live.get(task) !== undefined,
    find: (task: number, digest: string) => parse(find.get(task, digest)),
    /** The request that is or was last asked for the task. */
    latest: (task: number) => parse(latest.get(task)),
    /** The digest of what was last asked for the task, besides `digest`. */
    other: (task: number, digest: string) => other.get(task, digest) as string | undefined,
    /** How many operations the task has asked for. */
    count: (task: number) => count.get(task) as number,
    /** What waits for a decision, or is approved and not used yet, in the order of the tasks; those that follow `after`. */
    open: ({ after, limit }: { after?: { task: number; digest: string }; limit: number }) =>
      open.all(after?.task ?? 0, after?.digest ?? '', limit).map((row) => parse(row)!),
    /** The approvals of the task that are not used yet, newest first. */
    approved: (task: number) => approved.all(task).map((row) => parse(row)!),
  }
}

/** Changes requests; each change is noted in the audit log. For use inside `store.write`. */
export function createAuthorizationWriter(db: Db) {
  const audit = createAuditWriter(db)
  const insert = db.prepare(
    `INSERT INTO authorizations (task, digest, operation, asked_at, expires_at, live) VALUES (?, ?, ?, ?, ?, 1)
     ON CONFLICT (task, digest) DO UPDATE SET asked_at = excluded.asked_at, expires_at = excluded.expires_at, live = 1,
       outcome = NULL, decided_by = NULL, decided_at = NULL, reason = NULL, call = NULL, used_by = NULL, used_at = NULL`,
  )
  const decide = db.prepare(
    `UPDATE authorizations SET outcome = @outcome, decided_by = @by, decided_at = @at, reason = @reason, call = @call,
       live = iif(@outcome = 'approved', 1, NULL) WHERE task = @task AND digest = @digest`,
  )
  const use = db.prepare(
    'UPDATE authorizations SET used_by = ?, used_at = ?, live = NULL WHERE task = ? AND digest = ?',
  )
  const liveOthers = db
    .prepare(
      'SELECT digest FROM authorizations WHERE task = ? AND live = 1 AND outcome IS NULL AND digest != ?',
    )
    .pluck()
  const unlive = db.prepare('UPDATE authorizations SET live = NULL WHERE task = ? AND live = 1')

  const settle = (decision: Decided): void => {
    decide.run({ by: null, reason: null, ...decision })
    const { outcome: action, call: _, ...note } = decision
    audit.note({ action, ...note })
  }
  const voidOthers = (task: number, digest: string, at: number, by: string, reason: string): void => {
    for (const other of liveOthers.all(task, digest) as string[]) {
      settle({ task, digest: other, outcome: 'void', at, by, call: null, reason })
    }
  }
  return {
    open(task: number, digest: string, operation: Struct, askedAt: number, expiresAt: number): void {
      insert.run(task, digest, JSON.stringify(operation), askedAt, expiresAt)
      audit.note({ task, digest, action: 'asked', at: askedAt })
    },
    /** Records what was decided; `revoked` and `expired` take an approval back. */
    settle,
    /** Notes that the task's owner said something to a request that waits: by its id alone, since the log outlives what is purged. */
    message(task: number, digest: string, by: string, at: number, messageId: string): void {
      audit.note({ task, digest, action: 'message', at, by, reason: messageId })
    },
    /** Records the step that an approval is used for. */
    use(task: number, digest: string, by: string, at: number): void {
      use.run(by, at, task, digest)
      audit.note({ task, digest, action: 'used', at, by })
    },
    /** Voids every request of the task that waits, but the one with `digest`. */
    voidOthers,
    /** For a task that has ended: nothing of it can be decided or used any more. */
    close(task: number, at: number, by: string, reason: string): void {
      voidOthers(task, '', at, by, reason)
      unlive.run(task)
    },
  }
}

interface Decided {
  task: number
  digest: string
  outcome: Outcome
  at: number
  by?: string | null
  reason?: string | null | undefined
  /** The key of the call that it is the decision of. */
  call: string | null
}
