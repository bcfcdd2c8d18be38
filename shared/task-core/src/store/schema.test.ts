import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { realWorld } from '../world.ts'
import { openStore } from './index.ts'
import { migrations } from './schema.ts'

const digest = (letter: string) => letter.repeat(64)

test('requests from before approvals were used up can still be decided, and used if they were approved', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'a2a-kit-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'old.db')
  const old = new Database(file)
  for (const sql of migrations.slice(0, 2)) old.exec(sql)
  old.pragma('user_version = 2')
  const task = (id: number, state: number) =>
    old.exec(`INSERT INTO tasks (task, id, owner, context_id, state, status, status_time, history, artifacts_size,
      artifacts_tail, last_event) VALUES (${id}, 'task-${id}', 'anyone', 'c', ${state}, '{}', 0, '[]', 0, 0, 1)`)
  const request = (id: number, letter: string, outcome: string | null) =>
    old
      .prepare(
        'INSERT INTO authorizations (task, digest, operation, asked_at, expires_at, outcome) VALUES (?, ?, ?, 1, 2, ?)',
      )
      .run(id, digest(letter), '{}', outcome)
  const record = (id: number, key: string, value: object) =>
    old.prepare('INSERT INTO records (task, key, value) VALUES (?, ?, ?)').run(id, key, JSON.stringify(value))
  task(1, 8) // waits
  request(1, 'a', null)
  task(2, 2) // works, approved after a message
  request(2, 'b', 'approved')
  record(2, `authorize:${digest('b')}#1`, { outcome: 'message', message: {} })
  record(2, `authorize:${digest('b')}#2`, { outcome: 'approved', by: 'operator', at: 'then' })
  task(3, 3) // has completed
  request(3, 'c', 'approved')
  record(3, `authorize:${digest('c')}#1`, { outcome: 'approved', by: 'operator', at: 'then' })
  old.close()

  const store = openStore(file, realWorld)
  onTestFinished(() => store.close())
  const { authorizations, records } = store.committed
  expect(authorizations.open({ limit: 10 }).map((one) => [one.task, one.outcome])).toEqual([
    [1, null],
    [2, 'approved'],
  ])
  expect(authorizations.approved(2)).toMatchObject([{ call: `authorize:${digest('b')}#2`, usedBy: null }])
  expect(records.get(2, `authorize:${digest('b')}#2`)).toMatchObject({
    outcome: 'approved',
    digest: digest('b'),
  })
  expect(records.get(2, `authorize:${digest('b')}#1`)).toEqual({ outcome: 'message', message: {} })
})
