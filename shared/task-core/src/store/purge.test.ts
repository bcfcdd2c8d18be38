import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { isTerminal, taskStates } from '../protocol/index.ts'
import { realWorld } from '../world.ts'
import { openStore, type TaskRow } from './index.ts'
import { createPurge } from './purge.ts'
import { migrations } from './schema.ts'

/** A database with the tables of this version, and the queries that are run on it from then on. */
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

/** Kept by a purge: who did what must stay known. */
const kept = ['audit']
const notOfTasks = ['counts', 'sqlite_sequence', 'writable']

test('a purge removes from every table that holds something of a task', async () => {
  const { db, queries } = await open()
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all() as string[]
  db.exec(
    `INSERT INTO tasks (id, owner, context_id, state, status, status_time, history, artifacts_size, artifacts_tail, last_event)
     VALUES ('T', 'me', 'C', 3, '{}', 0, '[{"messageId":"m"}]', 0, 0, 3)`,
  )
  queries.length = 0
  createPurge(db).remove(1)
  const touched = new Set(queries.flatMap((query) => /^DELETE FROM (\w+)/.exec(query)?.[1] ?? []))
  const expected = tables.filter((table) => ![...kept, ...notOfTasks].includes(table))
  expect([...touched].toSorted()).toEqual(expected.toSorted())
})

test('what is due and what ended first are found by an index, however many tasks there are', async () => {
  const { db, queries } = await open()
  const purge = createPurge(db)
  purge.due(0, 10)
  purge.oldest()
  expect(queries).toHaveLength(2)
  for (const query of [...queries]) {
    const plan = db.prepare(`EXPLAIN QUERY PLAN ${query}`).all() as { detail: string }[]
    const details = plan.map(({ detail }) => detail).join('; ')
    expect(details).toMatch(/\btasks USING (COVERING )?INDEX tasks_ended/)
    expect(details).not.toMatch(/USE TEMP B-TREE|SCAN push_configs/)
  }
})

test('the states that can be purged are the terminal ones', async () => {
  const { db } = await open()
  for (const state of taskStates.keys()) {
    db.prepare(
      `INSERT INTO tasks (id, owner, context_id, state, status, status_time, history, artifacts_size, artifacts_tail, last_event)
       VALUES (@state, 'me', 'C', @state, '{}', 0, '[]', 0, 0, 1)`,
    ).run({ state })
  }
  const found = createPurge(db).due(0, 100)
  const states = db.prepare('SELECT state FROM tasks WHERE task = ?').pluck()
  expect(found.map((task) => states.get(task))).toEqual(
    taskStates.flatMap((state, number) => (isTerminal(state) ? [number] : [])),
  )
})

test('the key of a purged task is not given again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'a2a-kit-'))
  const store = openStore(join(folder, 'test.db'), realWorld)
  onTestFinished(async () => {
    store.close()
    await rm(folder, { recursive: true, force: true })
  })
  const row = { owner: 'me', contextId: 'C', state: 'TASK_STATE_COMPLETED', status: '{}', history: '[]' }
  const none = {
    metadata: null,
    due: null,
    wait: null,
    expiresAt: null,
    cancel: null,
    trace: null,
    snapshot: null,
  }
  const numbers = {
    statusTime: 0,
    artifactsSize: 0,
    artifactsTail: 0,
    snapshotEvent: 0,
    artifacts: 0,
    artifactBytes: 0,
  }
  const add = (id: string) => {
    const task = store.writing.tasks.newKey()
    store.writing.tasks.insert({ ...row, ...none, ...numbers, lastEvent: 1, id, task } as TaskRow)
    return task
  }
  const keys = await store.write(() => {
    const first = add('a')
    store.writing.purge.remove(first)
    return [first, add('b')]
  })
  expect(keys).toEqual([1, 2])
  expect(store.committed.list.total({ owner: 'me' })).toBe(1)
})
