import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { createLister, type TaskFilter } from './list.ts'
import { migrations } from './schema.ts'

/** A database with the tables of this version, and the queries that are run on it from then on. */
function open() {
  const queries: string[] = []
  const db = new Database(':memory:', { verbose: (query) => void queries.push(String(query)) })
  onTestFinished(() => void db.close())
  db.exec(migrations.join(''))
  queries.length = 0
  return { db, queries }
}

/** Adds so many completed tasks of `me`, one after the other. */
function addTasks(db: Database.Database, many: number): void {
  const insert = db.prepare(
    `INSERT INTO tasks (id, owner, context_id, state, status, status_time, history, artifacts_size, artifacts_tail, last_event)
     VALUES ('task ' || @nth, 'me', printf('context %08d', @nth), 3, '{}', @nth, '[]', 0, 0, 1)`,
  )
  db.transaction(() => {
    for (let nth = 1; nth <= many; nth += 1) insert.run({ nth })
  })()
}

test.each<[string, Omit<TaskFilter, 'owner'>, string]>([
  ['all', {}, 'tasks_by_time'],
  ['those since a time', { since: 1 }, 'tasks_by_time'],
  ['those in a state', { state: 'TASK_STATE_COMPLETED' }, 'tasks_by_state'],
  ['those in a state since a time', { state: 'TASK_STATE_COMPLETED', since: 1 }, 'tasks_by_state'],
  ['those of a context', { contextId: 'C' }, 'tasks_by_context'],
])('a page of %s is read along an index, and nothing is sorted', (_, filter, index) => {
  const { db, queries } = open()
  createLister(db).page({ owner: 'me', ...filter }, 10)
  const [query] = queries
  const plan = db.prepare(`EXPLAIN QUERY PLAN ${query}`).all() as { detail: string }[]
  expect(plan).toHaveLength(1)
  expect(plan[0]!.detail).toContain(`USING COVERING INDEX ${index} (`)
})

test('pages of tasks, newest first, miss none and repeat none, those of one millisecond too', () => {
  const { db } = open()
  addTasks(db, 25)
  db.exec('UPDATE tasks SET status_time = 7 WHERE task BETWEEN 5 AND 14')
  const list = createLister(db)
  const seen: number[] = []
  for (let page = list.page({ owner: 'me' }, 3); page.length > 0; ) {
    seen.push(...page.map(({ task }) => task))
    page = list.page({ owner: 'me' }, 3, page.at(-1))
  }
  const all = db.prepare('SELECT task FROM tasks ORDER BY status_time DESC, task DESC').pluck().all()
  expect(seen).toEqual(all)
})

test('the indexes by time are filled as tasks come: a new one divides no page of those before it', () => {
  const { db } = open()
  addTasks(db, 5000)
  const full = db
    .prepare(
      `SELECT name, 1.0 - 1.0 * sum(unused) / sum(pgsize) AS part FROM dbstat
       WHERE name IN ('tasks_by_time', 'tasks_by_context', 'tasks_by_state') GROUP BY name`,
    )
    .all() as { name: string; part: number }[]
  expect(full).toHaveLength(3)
  for (const { name, part } of full) expect([name, part > 0.8]).toEqual([name, true])
})
