// What the reviewer's tests share: the fixture as a repository of their own, small repositories, and diffs of new files.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'
import { git } from './git.ts'

export const fixture = fileURLToPath(new URL('../../../fixtures/payments-api', import.meta.url))

/** One of the fixture's diffs, such as `stale`. */
export const change = (name: string) => readFile(join(fixture, 'changes', `${name}.diff`), 'utf8')

const folders: string[] = []
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))

/** A folder that is removed when the tests of the file are done. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'code-reviewer-test-'))
  folders.push(folder)
  return folder
}

export type Files = Record<string, string | Uint8Array>

/** A repository with a work tree: `write` changes files, `git` runs git in it, `commit` gives the new commit's hash. */
export async function workTree(folder: string) {
  const gitDir = join(folder, '.git')
  const run = (...args: string[]) => git(['-C', folder, ...args])
  await run('init', '--quiet', '--initial-branch=main')
  await run('config', 'user.name', 'Test')
  await run('config', 'user.email', 'test@example.com')
  const write = async (files: Files) => {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), content)
    }
    await run('add', '--all')
  }
  const commit = async (files: Files) => {
    await write(files)
    await run('commit', '--quiet', '--allow-empty', '-m', 'A commit')
    return (await run('rev-parse', 'HEAD')).trim()
  }
  return { gitDir, git: run, write, commit }
}

/** The diff that adds a file with these lines. */
export function newFile(path: string, content: string): string {
  const lines = content.replace(/\n$/, '').split('\n')
  return [
    `diff --git a/${path} b/${path}`,
    'new file mode 100644',
    '--- /dev/null',
    `+++ b/${path}`,
    `@@ -0,0 +1,${lines.length} @@`,
    ...lines.map((line) => `+${line}`),
    '',
  ].join('\n')
}
