// The journal of an environment: one line of JSON for each deploy that was done, oldest first.
import { truncate } from 'node:fs/promises'
import { append, readIfThere } from './disk.ts'

/** A deploy that was done. Times are ISO 8601; `release` is a path relative to the data folder. */
export interface Deployment {
  build: string
  environment: string
  checksum: string
  /** The build that was current before; null for the first. */
  previousBuild: string | null
  approvedBy: string
  approvedAt: string
  deployedAt: string
  release: string
}

export interface JournalLine extends Deployment {
  taskId: string
  /** No two lines have the same. */
  idempotencyKey: string
}

/**
 * All lines of the journal at `path`; none if it is not there. A last line that a kill cut short is removed from the file.
 * @throws Error that names the line which is not JSON
 */
export async function readJournal(path: string): Promise<JournalLine[]> {
  const text = (await readIfThere(path)) ?? ''
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  if (whole.length < text.length) await truncate(path, Buffer.byteLength(whole))
  return whole
    .split('\n')
    .slice(0, -1)
    .map((line, index) => {
      try {
        return JSON.parse(line) as JournalLine
      } catch {
        throw new Error(`${path}: line ${index + 1} is not JSON; mend it by hand, then go on.`)
      }
    })
}

/** Adds a line, and returns once it is on the disk. */
export async function addToJournal(path: string, line: JournalLine): Promise<void> {
  await append(path, `${JSON.stringify(line)}\n`)
}
