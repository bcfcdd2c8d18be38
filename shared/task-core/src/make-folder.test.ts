import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolder } from './make-folder.ts'

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'a2a-kit-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

test('a folder is made with all that are missing above it, and one that is there is left alone', async () => {
  const folder = join(await temporaryFolder(), 'a/b/c')
  makeFolder(folder)
  await writeFile(join(folder, 'kept'), '')
  makeFolder(folder)
  expect((await stat(join(folder, 'kept'))).isFile()).toBe(true)
})

test('a folder below a file is refused with the name of the file', async () => {
  const file = join(await temporaryFolder(), 'file')
  await writeFile(file, '')
  expect(() => makeFolder(join(file, 'a'))).toThrow(`mkdir '${file}'`)
  expect(() => makeFolder(file)).toThrow(`mkdir '${file}'`)
})
