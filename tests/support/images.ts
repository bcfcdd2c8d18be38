// The files of an agent as they stand at each moment of a run: what a process that is killed there leaves behind.
import { hash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { realWorld, type World } from '@a2a-kit/task-core'
import { temporaryFolder } from './probe.ts'

export interface Image<T> {
  dataDir: string
  /** What else there was at that moment. */
  beside: T
}

/**
 * A data folder for an agent called `name`, and a world that copies it before and after each commit, message and step, together with
 * `beside()`. Moments that differ in neither are one.
 */
export async function imaged<T>(
  name: string,
  beside: () => T,
  mark: (beside: T) => unknown = () => '',
): Promise<{ dataDir: string; world: World; images: Image<T>[] }> {
  const [dataDir, folder] = [await temporaryFolder(), await temporaryFolder()]
  const names = [`${name}.db`, `${name}.db-wal`]
  const images: Image<T>[] = []
  const seen = new Set<string>()
  function moment(): void {
    const now = beside()
    const files = names.map((one) => join(dataDir, one)).filter((file) => existsSync(file))
    const state =
      hash('sha256', Buffer.concat(files.map((file) => readFileSync(file)))) + JSON.stringify(mark(now))
    if (seen.has(state)) return
    seen.add(state)
    const image = join(folder, `${images.length}`)
    mkdirSync(image)
    for (const one of names) copyFileSync(join(dataDir, one), join(image, one))
    images.push({ dataDir: image, beside: now })
  }
  return { dataDir, world: { ...realWorld, moment }, images }
}
