import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { realWorld } from '../world.ts'
import { openStore } from './index.ts'
import { migrations } from './schema.ts'

test('a task of the first version is there after the migration, and takes push configs', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'a2a-kit-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }))
  const file = join(folder, 'old.db')
  const old = new Database(file)
  old.exec(migrations[0]!)
  old.pragma('user_version = 1')
  old
    .prepare(
      `INSERT INTO tasks (id, owner, context_id, state, status, status_time, history, artifacts_size, artifacts_tail, last_event)
       VALUES ('T', 'me', 'C', 6, '{}', 0, '[]', 0, 0, 3)`,
    )
    .run()
  old.close()

  const store = openStore(file, realWorld)
  onTestFinished(() => store.close())
  const row = store.committed.tasks.find('T', 'me')!
  expect(row).toMatchObject({ lastEvent: 3, state: 'TASK_STATE_INPUT_REQUIRED', push: 0 })
  const config = { task: row.task, id: 'mine', url: 'https://a.example/', version: '1.0' as const }
  const none = { token: null, scheme: null, credentials: null }
  const push = await store.write(() =>
    store.writing.pushConfigs.insert({ ...config, ...none, delivered: row.lastEvent }),
  )
  expect([push, store.committed.tasks.find('T', 'me')!.push]).toEqual([1, 1])
  expect(store.committed.pushConfigs.allDue()).toEqual([])
})
