import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeFixtureRepository } from './fixture.ts'
import { openRepository, type Repository } from './repository.ts'
import { change, fixture, newFile, temporaryFolder, workTree } from './testing.ts'

let gitDir: string
let payments: Repository
const commitOf = async (branch: string) => (await payments.commitOf(branch)) ?? ''

beforeAll(async () => {
  gitDir = await makeFixtureRepository(fixture, await temporaryFolder())
  payments = openRepository('payments-api', gitDir)
})

describe('branches', () => {
  test('are found by their whole names only', async () => {
    for (const name of ['main', 'release/2026.09']) {
      expect(await payments.commitOf(name)).toMatch(/^[0-9a-f]{40}$/)
    }
    const others = [
      'mian',
      '',
      'Main',
      'release',
      'refs/heads/main',
      'main~0',
      'main^',
      'main@{0}',
      'HEAD',
      '@',
      await commitOf('main'),
    ]
    for (const name of others) expect(await payments.commitOf(name)).toBeUndefined()
  })

  test('with names that look like options, paths or commands are only unknown', async () => {
    for (const name of [
      '--help',
      '--upload-pack=touch x',
      '-h',
      '../../main',
      '$(touch x)',
      'a\0b',
      'x'.repeat(1e5),
    ]) {
      expect(await payments.commitOf(name)).toBeUndefined()
    }
  })

  test('that are made later are seen', async () => {
    const tree = await workTree(await temporaryFolder())
    await tree.commit({ 'a.txt': 'one\n' })
    const repository = openRepository('small', tree.gitDir)
    expect(await repository.commitOf('feature/x')).toBeUndefined()
    await tree.git('branch', 'feature/x')
    expect(await repository.branches()).toEqual(['feature/x', 'main'])
  })
})

describe('whether a diff applies', () => {
  test('is what git says about each branch', async () => {
    const outcome = async (name: string, branch: string) =>
      (await payments.applies(await change(name), await commitOf(branch))).outcome
    expect(await outcome('idempotency-keys', 'main')).toBe('applies')
    expect(await outcome('idempotency-keys', 'develop')).toBe('applies')
    expect(await outcome('idempotency-keys', 'release/2026.09')).toBe('does not apply')
    expect(await outcome('hardcoded-secret', 'main')).toBe('applies')
    expect(await outcome('stale', 'main')).toBe('does not apply')
    expect(await outcome('stale', 'release/2026.09')).toBe('applies')
  })

  test('names the files at fault and repeats what git says', async () => {
    expect(await payments.applies(await change('stale'), await commitOf('main'))).toEqual({
      outcome: 'does not apply',
      files: ['src/webhooks.js', 'test/webhooks.test.js'],
      says: [
        'patch failed: src/webhooks.js:4',
        'src/webhooks.js: patch does not apply',
        'patch failed: test/webhooks.test.js:9',
        'test/webhooks.test.js: patch does not apply',
      ],
    })
    const main = await commitOf('main')
    const there = newFile('README.md', 'hello')
    expect(await payments.applies(there, main)).toMatchObject({
      files: ['README.md'],
      says: ['README.md: already exists in index'],
    })
    const missing = (await change('stale')).replaceAll('src/webhooks.js', 'src/with space.js')
    expect(await payments.applies(missing, main)).toMatchObject({
      files: ['src/with space.js', 'test/webhooks.test.js'],
    })
  })

  test('does not depend on white space that the diff adds, nor on the bytes after it', async () => {
    const main = await commitOf('main')
    expect(await payments.applies(`${newFile('a.txt', 'one  \n\n\n')}\nThank you!\n`, main)).toEqual({
      outcome: 'applies',
    })
  })

  test('cannot be told of a diff that git cannot read, or that reaches outside', async () => {
    const main = await commitOf('main')
    for (const path of ['.git/hooks/post-commit', '../outside.txt', '/etc/outside.txt']) {
      expect((await payments.applies(newFile(path, 'x'), main)).outcome).toBe('unreadable')
    }
    expect(await payments.applies('hello\n', main)).toMatchObject({
      outcome: 'unreadable',
      says: [expect.stringMatching(/No valid patches/)],
    })
  })
})

describe('the applied diff', () => {
  test('has the line numbers of the new file, also where the given diff was some lines off', async () => {
    const tree = await workTree(await temporaryFolder())
    const numbers = Array.from({ length: 20 }, (_, index) => `line ${index + 1}\n`)
    await tree.commit({ 'a.txt': numbers.join('') })
    await tree.write({ 'a.txt': numbers.with(9, 'changed\n').join('') })
    const diff = await tree.git('diff', '--cached')
    const moved = await tree.commit({ 'a.txt': ['new\n', 'new\n', 'new\n', ...numbers].join('') })

    const applied = await openRepository('small', tree.gitDir).applied(diff, moved)
    const lines = applied.slice(applied.indexOf('@@')).split('\n').slice(1)
    expect(lines.filter((line) => !line.startsWith('-')).indexOf('+changed') + 1).toBe(13)
  })

  test('shows every file as text, whatever attributes the diff brings along', async () => {
    const diff = newFile('.gitattributes', '* binary') + newFile('src/a.js', 'debugger')
    expect(await payments.applied(diff, await commitOf('main'))).toContain('+debugger')
  })

  test('is the same whatever the environment tells git', async () => {
    const [diff, main] = [await change('idempotency-keys'), await commitOf('main')]
    const before = await payments.applied(diff, main)
    const told = {
      GIT_EXTERNAL_DIFF: 'false',
      GIT_DIFF_OPTS: '-u0',
      GIT_DIR: '/nowhere',
      GIT_INDEX_FILE: '/nowhere',
    }
    Object.assign(process.env, told)
    try {
      expect(await payments.applied(diff, main)).toBe(before)
    } finally {
      for (const name of Object.keys(told)) delete process.env[name]
    }
  })

  test('of a diff that does not apply is an error', async () => {
    await expect(payments.applied(await change('stale'), await commitOf('main'))).rejects.toThrow(
      /patch does not apply/,
    )
  })

  test('leaves nothing in the repository and nothing in the temporary folder', async () => {
    const { TMPDIR } = process.env
    process.env.TMPDIR = await temporaryFolder()
    const contents = async () => [await readdir(gitDir, { recursive: true }), await readdir(tmpdir())]
    const before = await contents()
    try {
      await payments.applied(newFile('src/new.js', 'const one = 1'), await commitOf('main'))
      expect(await contents()).toEqual(before)
    } finally {
      if (TMPDIR === undefined) delete process.env.TMPDIR
      else process.env.TMPDIR = TMPDIR
    }
  })
})

test('a call ends when its signal aborts', async () => {
  const aborted = AbortSignal.abort()
  const diff = await change('idempotency-keys')
  await expect(payments.branches(aborted)).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }))
  await expect(payments.applies(diff, await commitOf('main'), aborted)).rejects.toThrow(
    expect.objectContaining({ name: 'AbortError' }),
  )
})

test('a machine without git is told so', async () => {
  const { PATH } = process.env
  process.env.PATH = await temporaryFolder()
  try {
    await expect(payments.branches()).rejects.toThrow('git was not found: install git 2.30 or later')
  } finally {
    process.env.PATH = PATH
  }
  await expect(openRepository('none', join(gitDir, 'none')).branches()).rejects.toThrow(
    /not a git repository/,
  )
})
