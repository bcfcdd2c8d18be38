// What agents leave in a process that goes on after they have closed: nothing.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { root } from '../scripts/kit.ts'
import { temporaryFolder } from './support/probe.ts'

const run = promisify(execFile)
const mebi = 1024 * 1024

test('agents that have closed are held by nothing, leave no file open, and let their process end by itself', async () => {
  const words = ['--expose-gc', 'scripts/run.mjs', 'tests/support/closing-agents.ts', await temporaryFolder()]
  // One that does not end is killed, and that fails here.
  const { stdout } = await run(process.execPath, words, { cwd: root, timeout: 50_000 })
  const { ofConfigurations, ...left } = JSON.parse(stdout)
  expect(left).toEqual({ kept: 0, openFiles: [] })
  expect(ofConfigurations).toBeLessThan(mebi)
})
