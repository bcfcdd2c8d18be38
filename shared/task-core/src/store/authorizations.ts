// What operators are asked to approve: each request by task and digest of its operation, and what became of it.
import type { Struct } from '../protocol/index.ts'
import type { Db } from './database.ts'

export type Outcome = 'approved' | 'denied' | 'expired' | 'void'

export interface Authorization {
  task: number
  digest: string
  operation: Struct
  askedAt: number
  expiresAt: number
  outcome: Outcome | null
  decidedBy: string | null
  decidedAt: number | null
  reason: string | null
}

const columns = `task, digest, operation, asked_at AS askedAt, expires_at AS expiresAt, outcome,
  decided_by AS decidedBy, decided_at AS decidedAt, reason`

export function createAuthorizations(db: Db) {
  const find = db.prepare(`SELECT ${columns} FROM authorizations WHERE task = ? AND digest = ?`)
  const latest = db.prepare(
    `SELECT ${columns} FROM authorizations WHERE task = ? ORDER BY outcome = 'void', asked_at DESC LIMIT 1`,
  )
  const insert = db.prepare(
    `INSERT INTO authorizations (task, digest, operation, asked_at, expires_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (task, digest) DO UPDATE SET asked_at = excluded.asked_at, expires_at = excluded.expires_at,
       outcome = NULL, decided_by = NULL, decided_at = NULL, reason = NULL`,
  )
  const decide = db.prepare(
    'UPDATE authorizations SET outcome = ?, decided_by = ?, decided_at = ?, reason = ? WHERE task = ? AND digest = ?',
  )
  const void_ = db.prepare(
    `UPDATE authorizations SET outcome = 'void', decided_at = ? WHERE task = ? AND outcome IS NULL AND digest != ?`,
  )
  const parse = (row: unknown): Authorization | undefined => {
    const found = row as (Omit<Authorization, 'operation'> & { operation: string }) | undefined
    return found && { ...found, operation: JSON.parse(found.operation) as Struct }
  }
  return {
    find: (task: number, digest: string) => parse(find.get(task, digest)),
    /** The request that is or was last asked for the task. */
    latest: (task: number) => parse(latest.get(task)),
    open(task: number, digest: string, operation: Struct, askedAt: number, expiresAt: number): void {
      insert.run(task, digest, JSON.stringify(operation), askedAt, expiresAt)
    },
    decide(
      task: number,
      digest: string,
      outcome: Outcome,
      by: string | null,
      at: number,
      reason?: string,
    ): void {
      decide.run(outcome, by, at, reason ?? null, task, digest)
    },
    /** Voids every open request of the task but the one with `digest`. */
    voidOthers: (task: number, digest: string, at: number): void => void void_.run(at, task, digest),
  }
}

export type Authorizations = ReturnType<typeof createAuthorizations>
