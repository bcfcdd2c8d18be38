import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFixtureRepository } from './fixture.ts'
import { git } from './git.ts'
import { openRepository } from './repository.ts'
import { fixture, temporaryFolder } from './testing.ts'

const commits = async (gitDir: string) =>
  (await git(['--git-dir', gitDir, 'for-each-ref', '--format=%(refname:lstrip=2) %(objectname)']))
    .trim()
    .split('\n')

test('the fixture becomes a sound repository with main and two more branches', async () => {
  const gitDir = await makeFixtureRepository(fixture, join(await temporaryFolder(), 'repositories'))
  expect(await openRepository('payments-api', gitDir).branches()).toEqual([
    'develop',
    'main',
    'release/2026.09',
  ])
  await git(['--git-dir', gitDir, 'fsck', '--strict'])
  expect(await git(['--git-dir', gitDir, 'show', 'develop:src/currencies.js'])).toContain('KWD: 3')
  expect(await git(['--git-dir', gitDir, 'show', 'develop:src/app.js'])).toContain('createServer')
})

test('the commits are the same each time, whatever git is configured to do', async () => {
  const first = await makeFixtureRepository(fixture, await temporaryFolder())
  const { GIT_AUTHOR_NAME, GIT_DIR, HOME } = process.env
  const home = await temporaryFolder()
  await writeFile(
    join(home, '.gitconfig'),
    '[user]\nname = Somebody\n[core]\nautocrlf = true\n[commit]\ngpgSign = true\n',
  )
  Object.assign(process.env, { GIT_AUTHOR_NAME: 'Else', GIT_DIR: '/nowhere', HOME: home })
  try {
    const second = await makeFixtureRepository(fixture, await temporaryFolder())
    expect(await commits(second)).toEqual(await commits(first))
  } finally {
    for (const [name, value] of Object.entries({ GIT_AUTHOR_NAME, GIT_DIR, HOME })) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  }
})

test('a repository that is there is kept, and what a killed process left half done is not', async () => {
  const folder = await temporaryFolder()
  await mkdir(join(folder, '.making-abcdef', 'objects'), { recursive: true })
  const gitDir = await makeFixtureRepository(fixture, folder)
  await writeFile(join(gitDir, 'mark'), '')
  expect(await makeFixtureRepository(fixture, folder)).toBe(gitDir)
  expect(await readdir(gitDir)).toContain('mark')
  expect(await readdir(folder)).toHaveLength(1)
})

test('a changed fixture is another repository', async () => {
  const small = join(await temporaryFolder(), 'small')
  const folder = await temporaryFolder()
  await mkdir(join(small, 'tree'), { recursive: true })
  await mkdir(join(small, 'branches'))
  await writeFile(join(small, 'tree', 'a.txt'), 'one\n')
  const before = await makeFixtureRepository(small, folder)
  await writeFile(join(small, 'tree', 'a.txt'), 'two\n')
  const after = await makeFixtureRepository(small, folder)
  expect(after).not.toBe(before)
  expect(await git(['--git-dir', after, 'show', 'main:a.txt'])).toBe('two\n')
})
