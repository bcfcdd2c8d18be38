import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { createCounts } from './counts.ts'
import { migrations } from './schema.ts'

async function open() {
  const folder = await mkdtemp(join(tmpdir(), 'a2a-kit-'))
  const queries: string[] = []
  const db = new Database(join(folder, 'test.db'), { verbose: (query) => void queries.push(String(query)) })
  onTestFinished(async () => {
    db.close()
    await rm(folder, { recursive: true, force: true })
  })
  db.exec(migrations.join(''))
  queries.length = 0
  return { db, queries }
}

test('what is counted is found by indexes, however many tasks are kept', async () => {
  const { db, queries } = await open()
  const counts = createCounts(db)
  counts.waits()
  counts.outbox()
  expect(queries).toHaveLength(5)
  for (const query of [...queries]) {
    const plan = db.prepare(`EXPLAIN QUERY PLAN ${query}`).all() as { detail: string }[]
    expect(plan.map(({ detail }) => detail).join('; ')).toMatch(
      /(SEARCH tasks|SCAN push_configs) USING (COVERING )?INDEX (tasks_waiting|push_configs_due|push_configs_failing)/,
    )
  }
})

test('waits are told apart by what they are for, each with when its oldest began', async () => {
  const { db } = await open()
  const insert = db.prepare(
    `INSERT INTO tasks (id, owner, context_id, state, status, status_time, history, artifacts_size, artifacts_tail, last_event, wait)
     VALUES (@id, 'me', 'C', 6, '{}', @time, '[]', 0, 0, 1, @wait)`,
  )
  const waits = ['ask#1', 'ask#2', `authorize:${'a'.repeat(64)}#1`, 'follow:review#1/wait:0', null]
  waits.forEach((wait, nth) => void insert.run({ id: `${nth}`, time: 100 - nth, wait }))
  expect(createCounts(db).waits()).toEqual([
    { kind: 'question', waits: 2, since: 99 },
    { kind: 'approval', waits: 1, since: 98 },
    { kind: 'peer', waits: 1, since: 97 },
  ])
})
