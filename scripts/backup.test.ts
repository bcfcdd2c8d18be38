import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../tests/support/probe.ts'
import { root } from './kit.ts'

/** What `npm run <verb> -- <folder>` says on its way to failing; killed when it goes on for long. */
function refused(verb: string, folder: string, dataDir: string): string {
  const words = [join(root, 'scripts/run.mjs'), join(root, 'scripts/backup.ts'), verb, folder]
  const env = { ...process.env, DATA_DIR: dataDir }
  try {
    execFileSync(process.execPath, words, { env, encoding: 'utf8', stdio: 'pipe', timeout: 20_000 })
  } catch (error) {
    return (error as { stderr: string }).stderr
  }
  throw new Error(`${verb} has not failed.`)
}

test.skipIf(!existsSync('/proc/self'))(
  'a copy that cannot be made, and data that cannot be put back, fail in one line',
  async () => {
    const folder = await temporaryFolder()
    new Database(join(folder, 'conformance.db')).exec('CREATE TABLE some (one)').close()
    await writeFile(join(folder, 'other'), '')
    const line = /^[^\n]*mkdir '\/proc\/none'\n$/
    expect(refused('backup', '/proc/none/copy', folder)).toMatch(line)
    expect(refused('restore', folder, '/proc/none/data')).toMatch(line)
  },
)
