// What an agent's store holds, as another process sees it: whether something was committed, and how many rows there are.
import Database from 'better-sqlite3'

export type Rows = Record<string, number>

export type Ledger = ReturnType<typeof openLedger>

export function openLedger(file: string) {
  const db = new Database(file, { readonly: true })
  const tables = db
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .pluck()
    .all() as string[]
  const all = tables.map((name) => `(SELECT count(*) FROM "${name}") AS "${name}"`)
  const counts = db.prepare(`SELECT ${all.join(', ')}`)
  const busy = db
    .prepare(
      'SELECT (SELECT count(*) FROM tasks WHERE due IS NOT NULL) + (SELECT count(*) FROM push_configs WHERE due = 1)',
    )
    .pluck()
  return {
    /** Another number whenever something was committed. */
    version: () => db.pragma('data_version', { simple: true }) as number,
    rows: () => counts.get() as Rows,
    /** How many tasks and deliveries are at work: they commit without a request. */
    busy: () => busy.get() as number,
    close: () => db.close(),
  }
}

/** By how many rows each table has changed, where it has. */
export const grown = (before: Rows, after: Rows): Rows =>
  Object.fromEntries(
    Object.entries(after).flatMap(([table, count]) => {
      const more = count - (before[table] ?? 0)
      return more === 0 ? [] : [[table, Math.abs(more)]]
    }),
  )
