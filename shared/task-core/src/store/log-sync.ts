// Has the disk take what SQLite's log holds, a few times a second and beside the work.
import { open } from 'node:fs/promises'

/** In ms: no more than that, and what a sync takes, can a power cut cost, and so much the less has a checkpoint to wait for. */
const every = 200

/** Writes what the log of the database `file` holds to the disk. */
async function syncLog(file: string): Promise<void> {
  const log = await open(`${file}-wal`, 'r+')
  try {
    await log.datasync()
  } finally {
    await log.close()
  }
}

/** For the log of the database `file`; `sync` resolves when the disk has taken it. */
export function createLogSync(file: string, sync = syncLog) {
  let timer: NodeJS.Timeout | undefined
  let isBehind = false

  async function run(): Promise<void> {
    isBehind = false
    try {
      await sync(file)
    } catch {
      // SQLite syncs the log itself before it relies on that, and meets the same error.
    }
    timer = undefined
    if (isBehind) schedule()
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
    close(): void {
      clearTimeout(timer)
      isBehind = false
    },
  }
}
