// Has the disk take what SQLite's log holds, a few times a second and beside the work.
import { closeSync, fdatasync, openSync } from 'node:fs'
import { promisify } from 'node:util'

/** In ms: no more than that, and what a sync takes, can a power cut cost, and so much the less has a checkpoint to wait for. */
const every = 200

export interface LogSyncOptions {
  /** Called with the first error of several in a row: what is committed meanwhile may not survive a power cut. */
  onFailure?: ((error: Error) => void) | undefined
  /** Resolves when the disk has taken what was written to this file. */
  sync?: (descriptor: number) => Promise<void>
}

export type LogSync = ReturnType<typeof createLogSync>

/**
 * For the log of the database `file`, which is open in WAL mode: SQLite keeps the same log for as long.
 * @throws Error of the file system where the log cannot be opened
 */
export function createLogSync(file: string, { onFailure, sync = promisify(fdatasync) }: LogSyncOptions = {}) {
  const log = openSync(`${file}-wal`, 'r+') // kept open: later there may be no descriptor left, or no such path
  let timer: NodeJS.Timeout | undefined
  let isBehind = false
  let isUnderWay = false
  let isFailing = false
  let isClosed = false

  async function run(): Promise<void> {
    isBehind = false
    isUnderWay = true
    try {
      await sync(log)
      isFailing = false
    } catch (error) {
      if (!isFailing) onFailure?.(error as Error)
      isFailing = true
      isBehind = true
    }
    isUnderWay = false
    timer = undefined
    if (isClosed) closeSync(log)
    else if (isBehind) schedule()
  }

  function schedule(): void {
    timer ??= setTimeout(run, every).unref()
  }

  return {
    /** To be called after each commit. */
    committed(): void {
      isBehind = true
      schedule()
    },
    /** Safe to repeat. */
    close(): void {
      if (isClosed) return
      clearTimeout(timer)
      isClosed = true
      if (!isUnderWay) closeSync(log)
    },
  }
}
