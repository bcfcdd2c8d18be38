import { spawnSync } from 'node:child_process'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../tests/support/probe.ts'
import { root } from './kit.ts'

/** A folder with all that the script looks for, in which the suite itself does nothing. */
async function emptySuite(): Promise<string> {
  const folder = await temporaryFolder()
  const python = join(folder, '.venv/bin/python')
  await mkdir(join(folder, '.venv/bin'), { recursive: true })
  await writeFile(python, '#!/bin/sh\nexit 3\n')
  await chmod(python, 0o755)
  await writeFile(join(folder, 'run_tck.py'), '')
  return folder
}

const run = (...words: string[]) => {
  const command = ['scripts/run.mjs', 'scripts/suite.ts', ...words]
  return spawnSync(process.execPath, command, { cwd: root, encoding: 'utf8' })
}

test('a suite that leaves no result, or cannot be run, is said in one line, with 2', async () => {
  const { status, stderr } = run(await emptySuite(), 'minimal')
  expect(stderr).toMatch(
    /^(The suite left no result|An agent runs at|The conformance agent did not start)[^\n]*\n$/m,
  )
  expect(stderr).not.toContain('    at ')
  expect(status).toBe(2)
})

test('an option that is not known is not passed over', async () => {
  const { status, stderr } = run(await emptySuite(), '--minimal')
  expect(stderr).toContain('There is no option --minimal.')
  expect(status).toBe(2)
})
