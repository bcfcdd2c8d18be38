import { execFile } from 'node:child_process'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../tests/support/probe.ts'
import { root } from './kit.ts'

const script = `function outer(given: string): string {
  const inner = (): string => given
  return inner()
}
console.log(outer(process.argv.slice(2).join()), String(outer).includes('__name'))
`

/** What the script prints that run.mjs runs with Node.js's options `flags`, in `folder`, which has its temporary files too. */
async function run(folder: string, flags: string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  await writeFile(join(folder, 'script.ts'), script)
  const words = [...flags, join(root, 'scripts/run.mjs'), 'script.ts', 'one', 'two']
  const own = { ...process.env, NODE_COMPILE_CACHE: undefined, TMPDIR: folder, ...env }
  return (await promisify(execFile)(process.execPath, words, { cwd: folder, env: own })).stdout
}

test('a script runs as it is written, but for its types', async () => {
  expect(await run(await temporaryFolder(), [])).toBe('one,two false\n')
})

test('a script runs by tsx where Node.js reads no TypeScript', async () => {
  expect(await run(await temporaryFolder(), ['--no-experimental-strip-types'])).toMatch(/^one,two /)
})

test('what was compiled is kept among the temporary files', async () => {
  const folder = await temporaryFolder()
  await run(folder, [])
  expect(await readdir(folder)).toContain('node-compile-cache')
})

test('a script runs where nothing can be kept', async () => {
  expect(await run(await temporaryFolder(), [], { TMPDIR: '/dev/null/none' })).toBe('one,two false\n')
})
