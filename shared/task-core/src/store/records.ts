// What each call of an agent's run came to, by its key, and the messages that were accepted.
import type { Db } from './database.ts'

export function createRecords(db: Db) {
  const get = db.prepare('SELECT value FROM records WHERE task = ? AND key = ?').pluck()
  const put = db.prepare(
    'INSERT INTO records (task, key, value) VALUES (?, ?, ?) ON CONFLICT (task, key) DO UPDATE SET value = excluded.value',
  )
  const all = db.prepare('SELECT key, value FROM records WHERE task = ? ORDER BY record')
  const keys = db.prepare('SELECT key FROM records WHERE task = ?').pluck()
  return {
    get<T>(task: number, key: string): T | undefined {
      const text = get.get(task, key) as string | undefined
      return text === undefined ? undefined : (JSON.parse(text) as T)
    },
    put: (task: number, key: string, value: unknown): void => void put.run(task, key, JSON.stringify(value)),
    keys: (task: number) => keys.all(task) as string[],
    all: (task: number) =>
      (all.all(task) as { key: string; value: string }[]).map(({ key, value }) => ({
        key,
        value: JSON.parse(value) as unknown,
      })),
  }
}

export function createMessages(db: Db) {
  const find = db.prepare('SELECT task, digest FROM messages WHERE owner = ? AND message_id = ?')
  const insert = db.prepare('INSERT INTO messages (owner, message_id, digest, task) VALUES (?, ?, ?, ?)')
  return {
    /** The task that took the owner's message with this id, and the digest of its content. */
    find: (owner: string, messageId: string) =>
      find.get(owner, messageId) as { task: number; digest: string } | undefined,
    insert: (owner: string, messageId: string, digest: string, task: number): void =>
      void insert.run(owner, messageId, digest, task),
  }
}

export type Records = ReturnType<typeof createRecords>
export type Messages = ReturnType<typeof createMessages>
