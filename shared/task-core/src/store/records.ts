// What each call of an agent's run came to, by its key, and the messages that were accepted.
import type { Db } from './database.ts'
import type { Turn } from './turn.ts'

export function createRecordPut(db: Db) {
  const put = db.prepare(
    'INSERT INTO records (task, key, value) VALUES (?, ?, ?) ON CONFLICT (task, key) DO UPDATE SET value = excluded.value',
  )
  return (task: number, key: string, value: string): void => void put.run(task, key, value)
}

/** Reads records on the connection `db`, with what `turn` has made of them. */
export function createRecords(db: Db, turn?: Turn) {
  const get = db.prepare('SELECT value FROM records WHERE task = ? AND key = ?').pluck()
  const all = db.prepare('SELECT key, value FROM records WHERE task = ? ORDER BY record').raw()
  const none: ReadonlyMap<string, string> = new Map()
  const fresh = (task: number) => turn?.records(task) ?? none
  const stored = (task: number) => (turn?.isNew(task) ? [] : (all.all(task) as [string, string][]))
  const every = (task: number) => new Map([...stored(task), ...fresh(task)])
  return {
    get<T>(task: number, key: string): T | undefined {
      const text =
        fresh(task).get(key) ?? (turn?.isNew(task) ? undefined : (get.get(task, key) as string | undefined))
      return text === undefined ? undefined : (JSON.parse(text) as T)
    },
    keys: (task: number): string[] => [...every(task).keys()],
    all: (task: number) =>
      [...every(task)].map(([key, value]) => ({ key, value: JSON.parse(value) as unknown })),
  }
}

export const createRecordWriter = (db: Db, turn: Turn) => ({
  ...createRecords(db, turn),
  put: (task: number, key: string, value: unknown): void => turn.record(task, key, JSON.stringify(value)),
})

export function createMessageInsert(db: Db) {
  const insert = db.prepare('INSERT INTO messages (owner, message_id, digest, task) VALUES (?, ?, ?, ?)')
  return (owner: string, messageId: string, digest: string, task: number): void =>
    void insert.run(owner, messageId, digest, task)
}

export function createMessages(db: Db, turn: Turn) {
  const find = db.prepare('SELECT task, digest FROM messages WHERE owner = ? AND message_id = ?')
  return {
    /** The task that took the owner's message with this id, and the digest of its content. */
    find: (owner: string, messageId: string) =>
      turn.accepted(owner, messageId) ??
      (find.get(owner, messageId) as { task: number; digest: string } | undefined),
    insert: (owner: string, messageId: string, digest: string, task: number): void =>
      turn.accept(owner, messageId, { digest, task }),
  }
}

export type Records = ReturnType<typeof createRecords>
export type Messages = ReturnType<typeof createMessages>
