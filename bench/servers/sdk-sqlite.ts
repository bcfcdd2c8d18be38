// The official SDK's own store on SQLite, its tables made by its own tool, in the journal mode of the kit and with its checkpoints.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TaskStore } from '@a2a-js/sdk/server'
import { DatabaseTaskStore } from '@a2a-js/sdk/server/database'
import Database from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { checkpointAfter } from '../../shared/task-core/src/store/database.ts'

const migrator = fileURLToPath(new URL('cli/a2a_db.js', import.meta.resolve('@a2a-js/sdk')))

/** A store in a new folder, which `remove` closes and removes. */
export function openSqliteStore(synchronous: string): { store: TaskStore; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'a2a-kit-bench-sdk-'))
  const file = join(folder, 'tasks.db')
  execFileSync(process.execPath, [migrator, 'upgrade', '--url', `sqlite:${file}`], { stdio: 'pipe' })
  const database = new Database(file)
  database.pragma('journal_mode = WAL')
  database.pragma(`wal_autocheckpoint = ${checkpointAfter}`)
  database.pragma(`synchronous = ${synchronous}`)
  return {
    store: new DatabaseTaskStore(new Kysely({ dialect: new SqliteDialect({ database }) })),
    remove() {
      database.close()
      rmSync(folder, { recursive: true })
    },
  }
}
