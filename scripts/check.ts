// Checks everything but the tests: types, lint, format and layers; with `--fix` mends what can be mended: `npm run check`.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from './kit.ts'

const fix = process.argv.includes('--fix')
const checks: [name: string, command: string, ...words: string[]][] = [
  ['types', 'tsc', '--project', '.'],
  fix ? ['lint and format', 'biome', 'check', '--write', '.'] : ['lint and format', 'biome', 'ci', '.'],
]

let failed = 0
for (const [name, command, ...words] of checks) {
  const { status } = spawnSync(join(root, 'node_modules/.bin', command), words, {
    cwd: root,
    stdio: 'inherit',
  })
  console.log(status === 0 ? `ok      ${name}` : `failed  ${name}`)
  if (status !== 0) failed += 1
}
process.exitCode = failed === 0 ? 0 : 1
