// Checks everything but the tests: types, lint, format and layers; with `--fix` mends what can be mended: `npm run check`.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { printHelp, readCommandLine } from './command-line.ts'
import { root } from './kit.ts'

const help = `npm run check: checks types, lint, format, and that imports go downward through the layers; in half a minute.

  --fix   mends what can be mended, and says the rest
  --help  this text

The tests are npm test.`

function check(fix: boolean): number {
  const biome = fix ? ['check', '--write', '.'] : ['ci', '.']
  const checks: [name: string, command: string, words: string[]][] = [
    ['types', 'tsc', ['--project', '.']],
    ['lint, format and layers', 'biome', biome],
  ]
  let failed = 0
  for (const [name, command, words] of checks) {
    console.log(`checking ${name} …`)
    const bin = join(root, 'node_modules/.bin', command)
    const { status } = spawnSync(bin, words, { cwd: root, stdio: 'inherit' })
    console.log(status === 0 ? `ok       ${name}` : `failed   ${name}`)
    if (status !== 0) failed += 1
  }
  return failed === 0 ? 0 : 1
}

try {
  const options = { fix: { type: 'boolean', default: false } } as const
  const { values } = readCommandLine('npm run check', process.argv.slice(2), options)
  if (values.help) printHelp(help)
  else process.exitCode = check(values.fix)
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
