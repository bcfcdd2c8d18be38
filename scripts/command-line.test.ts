import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readCommandLine } from './command-line.ts'
import { root } from './kit.ts'

const options = { check: { type: 'boolean', default: false }, 'at-once': { type: 'string' } } as const
const read = (args: string[], env: NodeJS.ProcessEnv = {}) =>
  readCommandLine('npm run docs', args, options, { env })

describe('the command line of a script', () => {
  test('has its options, and --help', () => {
    expect(read(['--check', '--at-once', '3']).values).toEqual({ check: true, 'at-once': '3', help: false })
    expect(read(['-h']).values).toMatchObject({ help: true })
  })

  test('has no other option, and says where they are listed', () => {
    const said = 'There is no option --chek. `npm run docs -- --help` says what there is.'
    expect(() => read(['--chek'])).toThrow(said)
    const taking = () => readCommandLine('npm run docs', ['--chek', '07'], options, { words: true, env: {} })
    expect(taking).toThrow(said)
  })

  test('has no words where the script takes none', () => {
    expect(() => read(['check'])).toThrow('"check" means nothing here.')
  })

  test('says which option wants a value, and which does not', () => {
    expect(() => read(['--at-once'])).toThrow("Option '--at-once <value>' argument missing.")
    expect(() => read(['--check=no'])).toThrow("Option '--check' does not take an argument.")
  })
})

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
}

/** Runs the script as npm would. */
function run(script: string, args: string[], env: NodeJS.ProcessEnv = {}) {
  const [node, ...words] = scripts[script]!.split(' ')
  expect(node).toBe('node')
  const how = { cwd: root, encoding: 'utf8', env: { ...process.env, ...env }, timeout: 30_000 } as const
  return spawnSync(process.execPath, [...words, ...args], how)
}

describe.each(Object.keys(scripts))('the npm script %s', (name) => {
  test('says what it does when it is asked for --help, and does nothing', () => {
    const { status, stdout, stderr } = run(name, ['--help'])
    expect(stderr).toBe('')
    expect(stdout).toMatch(new RegExp(`^npm (run )?${name}\\b`, 'm'))
    expect(stdout).toContain('--help')
    expect(status).toBe(0)
  })
})

// Where a mistake would do something.
test.each(['start', 'test', 'capture', 'docs', 'backup', 'restore'])(
  'the npm script %s refuses an option that there is not, in one line',
  (name) => {
    const { status, stdout, stderr } = run(name, ['--bogus'])
    expect(stderr).toMatch(/^.*--bogus.*--help.*\n$/)
    expect(stdout).toBe('')
    expect(status).not.toBe(0)
  },
)

test('an option that npm kept, since the two dashes were left out, is not passed over', () => {
  const { status, stdout, stderr } = run('docs', [], { npm_config_check: 'true' })
  expect(stderr).toBe(
    'npm kept --check for itself. What is for the script comes after two dashes: `npm run docs -- --check`.\n',
  )
  expect(stdout).toBe('')
  expect(status).toBe(1)
})
