// Opens the SQLite file: one process at a time, migrated to this version's tables, refused if it is newer.
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { makeFolder } from '../make-folder.ts'
import { migrations } from './schema.ts'

export type Db = Database.Database

export interface Databases {
  /** The connection of the one writer. */
  writer: Db
  /** Sees only what is committed: everything that a client reads comes from here. */
  reader: Db
  close(): void
}

/** What a commit waits for: NORMAL survives a dead process, and of a power cut loses what `createLogSync` has not got to; FULL survives both. */
export type Synchronous = 'NORMAL' | 'FULL'

/**
 * After so many pages, 32 MiB, what the log has is put in its place, and synced. By SQLite's own 1000, one in a hundred requests waits for
 * that; by these, one in a thousand waits longer.
 */
export const checkpointAfter = 8000

/**
 * Opens `file`, made if it is missing, with its folder.
 * @throws Error that names the file: another process has it open, a newer version of the kit wrote it, or it cannot be opened
 */
export function openDatabases(file: string, synchronous: Synchronous = 'NORMAL'): Databases {
  const opened: Db[] = []
  const keep = (db: Db): Db => {
    opened.unshift(db)
    return db
  }
  const close = () => {
    for (const db of opened) db.close()
  }
  try {
    makeFolder(dirname(file))
    keep(lockFile(file))
    const writer = keep(new Database(file, { timeout: 5000 }))
    writer.pragma('journal_mode = WAL')
    writer.pragma(`synchronous = ${synchronous}`)
    writer.pragma(`wal_autocheckpoint = ${checkpointAfter}`)
    migrate(writer, file)
    const reader = keep(new Database(file, { readonly: true, timeout: 5000 }))
    return { writer, reader, close }
  } catch (error) {
    close()
    throw aboutFile(error, file)
  }
}

/** For an error of the file system or of SQLite: the error that names `file` and what to do; any other error as it is. */
export function aboutFile(error: unknown, file: string): unknown {
  const { code, message } = error as { code?: string; message: string }
  if (code === undefined) return error
  const isDamaged = /^SQLITE_(CORRUPT|NOTADB)/.test(code)
  const advice = isDamaged ? '. The file is damaged: put a copy of the data back with npm run restore' : ''
  return new Error(`${file} cannot be opened: ${message}${advice}`, { cause: error })
}

/** Whether SQLite says so: the error is one of a store. */
export const isSqliteError = (error: unknown): boolean =>
  String((error as { code?: unknown } | null)?.code).startsWith('SQLITE_')

/** Holds a lock that the operating system takes back when the process dies, however it dies. */
function lockFile(file: string): Db {
  const lock = new Database(`${file}.lock`, { timeout: 0 })
  try {
    lock.pragma('journal_mode = MEMORY') // so that taking the lock leaves no file behind
    lock.exec('BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock.close()
    if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error
    throw new Error(`${file} is in use by another process. Stop that one, or set another DATA_DIR.`)
  }
}

/** Whether a process has the database `file` open. */
export function isInUse(file: string): boolean {
  try {
    lockFile(file).close()
    return false
  } catch {
    return true
  }
}

function migrate(db: Db, file: string): void {
  const version = db.pragma('user_version', { simple: true }) as number
  if (version > migrations.length) {
    throw new Error(
      `${file} has schema version ${version}, and this version of the kit knows ${migrations.length}. Use a newer kit, or another DATA_DIR.`,
    )
  }
  migrations.slice(version).forEach((sql, index) => {
    db.transaction(() => {
      db.exec(sql)
      db.pragma(`user_version = ${version + index + 1}`)
    }).immediate()
  })
}
