// Removes tasks that have ended, with all that is stored of them. What an operator decided stays in the audit log.
import type { Message } from '../protocol/index.ts'
import type { Db } from './database.ts'
import { placesOf } from './events.ts'

/** What is kept of a task beside its row, its log and its messages, by the task's key. */
const tables = ['snapshots', 'records', 'authorizations', 'push_configs']

/** The condition of the index `tasks_ended`, word for word, since SQLite uses the index for nothing else. */
const ended = '(state = 3 OR state = 4 OR state = 5 OR state = 7)'

/** For use inside `store.write`, but for `due` and `oldest`. */
export function createPurge(db: Db) {
  const due = db
    .prepare(
      `SELECT task FROM tasks WHERE ${ended} AND status_time <= ?
       AND NOT EXISTS (SELECT 1 FROM push_configs WHERE push_configs.task = tasks.task AND push_configs.due = 1)
       ORDER BY status_time LIMIT ?`,
    )
    .pluck()
  const oldest = db.prepare(`SELECT min(status_time) FROM tasks WHERE ${ended}`).pluck()
  const row = db.prepare('SELECT owner, state, history FROM tasks WHERE task = ?')
  const message = db.prepare('DELETE FROM messages WHERE owner = ? AND message_id = ? AND task = ?')
  const uncount = db.prepare('UPDATE counts SET tasks = tasks - 1 WHERE owner = ? AND state = ?')
  const log = db.prepare('DELETE FROM events WHERE place > ? AND place < ?')
  const others = tables.map((table) => db.prepare(`DELETE FROM ${table} WHERE task = ?`))
  const remove = db.prepare('DELETE FROM tasks WHERE task = ?')
  return {
    /** At most `most` of the tasks that ended at `before` (ms) or earlier, the oldest first; none of which something is still to be pushed. */
    due: (before: number, most: number) => due.all(before, most) as number[],
    /** When the first of the tasks that have ended did so, in ms; null if none has. */
    oldest: () => oldest.get() as number | null,
    /** Removes a task that has ended. @returns how many events it had */
    remove(task: number): number {
      const { owner, state, history } = row.get(task) as { owner: string; state: number; history: string }
      // Every message that was accepted is in the history, so that no index finds the messages of a task.
      for (const { messageId } of JSON.parse(history) as Message[]) message.run(owner, messageId, task)
      uncount.run(owner, state)
      for (const statement of others) statement.run(task)
      remove.run(task)
      return log.run(...placesOf(task)).changes
    },
  }
}
