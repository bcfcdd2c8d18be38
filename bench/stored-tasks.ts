// Makes a database with as many tasks as a part asks for: copies of tasks that the kit itself has stored, written past it.
import { setImmediate } from 'node:timers/promises'
import Database, { type Statement } from 'better-sqlite3'
import { v7 } from 'uuid'

/** In the log `place = task * 2^24 + n`. */
const perTask = 2 ** 24

/** What is stored of a task beside its row; `key` names it by the task's key, or by a place that has the key in it. */
const tables = {
  tasks: { key: 'task' },
  events: { key: 'place' },
  snapshots: { key: 'task' },
  records: { key: 'task', own: 'record' },
  messages: { key: 'task' },
  authorizations: { key: 'task' },
} as const

type Row = Record<string, string | number | null>
interface Original {
  task: Row
  /** Of each table, and how a copy of one is written. */
  rows: { insert: Statement; key: string; row: Row }[]
}

/** How many tasks are written between two commits, and how many share a context. */
const batch = 10_000
export const perContext = 50

/**
 * Fills `file`, whose agent is stopped, up to `count` tasks by copies of those that are in it, in turn. Each copy has ids of its own, and
 * its status a millisecond after the one before it; none is newer than its original.
 * @returns the ids of all tasks, and the newest context, which has 50 of them
 */
export async function storeTasks(file: string, count: number, say: (line: string) => void) {
  const db = new Database(file)
  try {
    db.pragma('journal_mode = WAL')
    db.pragma('synchronous = OFF') // a copy that is lost is made again
    const originals = readOriginals(db)
    const ids: string[] = []
    let contextId = ''
    const copy = db.transaction((from: number, to: number) => {
      for (let nth = from; nth < to; nth += 1) {
        if (nth % perContext === 0) contextId = v7()
        const original = originals[nth % originals.length]!
        ids.push(writeCopy(original, { key: nth + 1 + originals.length, contextId, before: count - nth }))
      }
    })
    const begun = performance.now()
    for (let done = 0; done < count; done += batch) {
      copy(done, Math.min(done + batch, count))
      if (done % 100_000 === 0 && done > 0) say(`  ${done.toLocaleString('en-US')} tasks are stored`)
      await setImmediate()
    }
    forget(db, originals)
    db.exec('DELETE FROM counts')
    db.exec('INSERT INTO counts SELECT owner, state, count(*) FROM tasks GROUP BY owner, state')
    db.pragma('wal_checkpoint(TRUNCATE)')
    const seconds = ((performance.now() - begun) / 1000).toFixed(1)
    say(`  ${count.toLocaleString('en-US')} tasks stored in ${seconds} s`)
    return { ids, contextId }
  } finally {
    db.close()
  }
}

function readOriginals(db: Database.Database): Original[] {
  const inserts = Object.entries(tables).map(([table, { key }]) => {
    const columns = (db.pragma(`table_info(${table})`) as { name: string }[])
      .map(({ name }) => name)
      .filter((name) => name !== (tables as Record<string, { own?: string }>)[table]!.own)
    const values = columns.map((name) => `@${name}`).join()
    return {
      table,
      key,
      columns,
      insert: db.prepare(`INSERT INTO ${table} (${columns.join()}) VALUES (${values})`),
    }
  })
  return (db.prepare('SELECT * FROM tasks ORDER BY task').all() as Row[]).map((task) => ({
    task,
    rows: inserts.flatMap(({ table, key, columns, insert }) => {
      const range =
        key === 'place'
          ? [Number(task.task) * perTask, (Number(task.task) + 1) * perTask]
          : [task.task, Number(task.task) + 1]
      const rows = db
        .prepare(`SELECT ${columns.join()} FROM ${table} WHERE ${key} >= ? AND ${key} < ?`)
        .all(...range) as Row[]
      return rows.map((row) => ({ insert, key, row }))
    }),
  }))
}

/** @returns the copy's id */
function writeCopy(
  { task, rows }: Original,
  { key, contextId, before }: { key: number; contextId: string; before: number },
): string {
  const statusTime = Number(task.status_time) - before
  const id = v7({ msecs: statusTime })
  const iso = (ms: number) => new Date(ms).toISOString()
  const renamed: [string, string][] = [
    [String(task.id), id],
    [String(task.context_id), contextId],
    [iso(Number(task.status_time)), iso(statusTime)],
    ...rows.flatMap(({ row: { message_id: sent } }): [string, string][] =>
      typeof sent === 'string' ? [[sent, `${sent}-${key}`]] : [],
    ),
  ]
  for (const { insert, key: column, row } of rows) {
    const copy: Row = {}
    for (const [name, value] of Object.entries(row)) {
      copy[name] =
        typeof value === 'string'
          ? renamed.reduce((text, [from, to]) => text.replaceAll(from, to), value)
          : value
    }
    copy[column] = column === 'place' ? key * perTask + (Number(row.place) % perTask) : key
    if ('status_time' in row) copy.status_time = statusTime
    insert.run(copy)
  }
  return id
}

/** The originals go: they are more alike than the others. */
function forget(db: Database.Database, originals: Original[]): void {
  for (const { task } of originals) {
    for (const [table, { key }] of Object.entries(tables)) {
      const [from, to] =
        key === 'place'
          ? [Number(task.task) * perTask, (Number(task.task) + 1) * perTask]
          : [task.task, Number(task.task) + 1]
      db.prepare(`DELETE FROM ${table} WHERE ${key} >= ? AND ${key} < ?`).run(from, to)
    }
  }
}
