// What the disk takes for a sync: what a commit waits for with synchronous=FULL, and a checkpoint always.
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inFolder } from './folder.ts'
import { figure } from './report.ts'
import { spread } from './rounds.ts'

const syncs = 200
const page = Buffer.alloc(4096, 1)

/** Milliseconds of a sync of 4 KiB below the temporary folder, where all servers have their data: the median of 200. */
export const syncTime = (): Promise<number> =>
  inFolder('disk', async (folder) => {
    const file = openSync(join(folder, 'synced'), 'w')
    try {
      return spread(Array.from({ length: syncs }, () => timeOfSync(file))).median
    } finally {
      closeSync(file)
    }
  })

/** Over the same bytes each time, as SQLite writes its log. */
function timeOfSync(file: number): number {
  writeSync(file, page, 0, page.length, 0)
  const begun = performance.now()
  fdatasyncSync(file)
  return performance.now() - begun
}

/** Faster than this, in milliseconds, no disk is: it is memory, or does not sync. */
const noDisk = 0.01

export function diskNote(syncMs: number): string {
  const said = `A sync of 4 KiB to the disk takes ${figure(syncMs)} ms`
  return syncMs < noDisk ? `${said}: what is below ${tmpdir()} may be no disk.` : `${said}.`
}
