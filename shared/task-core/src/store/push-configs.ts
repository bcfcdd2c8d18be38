// Push notification configs: where a task's events go, and how far each receiver has got. The log is the outbox.
import type { Db } from './database.ts'

/** The version of the protocol in which a receiver is spoken to. */
export type PushVersion = '1.0' | '0.3'

export interface NewPushConfig {
  task: number
  id: string
  url: string
  token: string | null
  scheme: string | null
  credentials: string | null
  version: PushVersion
  /** The last event that it does not want. */
  delivered: number
}

export interface PushConfigRow extends NewPushConfig {
  /** Its key, which is never given again. */
  config: number
  /** Tries in a row that failed. */
  failures: number
  /** 1 if there are events after `delivered` to send. */
  due: 0 | 1
  /** 1 if it was given up. */
  failing: 0 | 1
}

/** A config whose receiver is to be sent to, with the caller whose it is. */
export interface DuePushConfig extends PushConfigRow {
  owner: string
}

const columns =
  'config, task, id, url, token, scheme, credentials, version, delivered, failures, due, failing'

export function createPushConfigReader(db: Db) {
  const find = db.prepare(`SELECT ${columns} FROM push_configs WHERE task = ? AND id = ?`)
  const page = db.prepare(
    `SELECT ${columns} FROM push_configs WHERE task = ? AND config > ? ORDER BY config LIMIT ?`,
  )
  const due = db.prepare(
    `SELECT ${columns}, (SELECT owner FROM tasks WHERE tasks.task = push_configs.task) AS owner
     FROM push_configs WHERE config = ? AND due = 1`,
  )
  const dueOf = db.prepare('SELECT config FROM push_configs WHERE task = ? AND due = 1').pluck()
  const allDue = db.prepare('SELECT config FROM push_configs WHERE due = 1').pluck()
  return {
    find: (task: number, id: string) => find.get(task, id) as PushConfigRow | undefined,
    /** At most `most` of the task's configs after the one with the key `after`, in order of creation. */
    page: (task: number, after: number, most: number) => page.all(task, after, most) as PushConfigRow[],
    /** The config, if it has something to send. */
    due: (config: number) => due.get(config) as DuePushConfig | undefined,
    /** The keys of the task's configs that have something to send. */
    dueOf: (task: number) => dueOf.all(task) as number[],
    /** The keys of all configs that have something to send. */
    allDue: () => allDue.all() as number[],
  }
}

/** Notes in SQLite that a task has had an event, at the end of a turn. */
export function createMarkDue(db: Db) {
  const mark = db.prepare('UPDATE push_configs SET due = 1 WHERE task = ? AND due = 0 AND failing = 0')
  return (task: number): void => void mark.run(task)
}

/** Changes configs, inside `store.write`. */
export function createPushConfigWriter(db: Db) {
  const insert = db.prepare(
    `INSERT INTO push_configs (task, id, url, token, scheme, credentials, version, delivered, failures, due, failing)
     VALUES (@task, @id, @url, @token, @scheme, @credentials, @version, @delivered, 0,
       @delivered < (SELECT last_event FROM tasks WHERE task = @task), 0)`,
  )
  const remove = db.prepare('DELETE FROM push_configs WHERE config = ?')
  const count = db.prepare('SELECT count(*) FROM push_configs WHERE task = ?').pluck()
  const recount = db.prepare(
    `UPDATE tasks SET push = (SELECT count(*) FROM push_configs WHERE task = @task AND failing = 0)
     WHERE task = @task RETURNING push`,
  )
  const advance = db.prepare(
    `UPDATE push_configs SET delivered = @event, failures = 0,
       due = @event < (SELECT last_event FROM tasks WHERE task = push_configs.task) WHERE config = @config`,
  )
  const fail = db.prepare('UPDATE push_configs SET failures = failures + 1 WHERE config = ?')
  const giveUp = db
    .prepare('UPDATE push_configs SET due = 0, failing = 1 WHERE config = ? RETURNING task')
    .pluck()
  const recounted = (task: number) => (recount.get({ task }) as { push: number }).push
  return {
    /** How many configs the task has. */
    count: (task: number) => count.get(task) as number,
    /** @returns how many of the task's configs take events now */
    insert(config: NewPushConfig): number {
      insert.run(config)
      return recounted(config.task)
    },
    /** @returns how many of the task's configs take events now */
    remove({ config, task }: PushConfigRow): number {
      remove.run(config)
      return recounted(task)
    },
    /** Notes that the receiver has everything up to `event`. */
    advance: (config: number, event: number): void => void advance.run({ config, event }),
    /** Notes that one more try has failed. */
    fail: (config: number): void => void fail.run(config),
    giveUp(config: number): void {
      const task = giveUp.get(config) as number | undefined
      if (task !== undefined) recounted(task)
    },
  }
}
