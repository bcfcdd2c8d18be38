// Makes a git repository out of a folder with `tree/` and `branches/<name>/`: the same commits on every machine.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, join, sep } from 'node:path'
import { makeFolder } from '@a2a-kit/task-core'
import { git } from './git.ts'

interface File {
  path: string
  content: Buffer
}

const author = 'Payments Team <payments@example.com> 1791190800 +0000' // 2026-10-05T09:00:00Z
const making = '.making-'

/**
 * Makes the bare repository in `folder` unless it is there, and gives its path. `tree/` becomes `main`; each folder of
 * `branches/` (`__` in its name stands for `/`) becomes a branch with one commit on top of it.
 * The path carries a digest of the content, so a changed fixture is another repository. May be killed at any moment.
 */
export async function makeFixtureRepository(fixture: string, folder: string): Promise<string> {
  const commits = await commitsOf(fixture)
  const digest = createHash('sha256').update(commits).digest('hex').slice(0, 12)
  const gitDir = join(folder, `${basename(fixture)}-${digest}.git`)
  if (existsSync(gitDir)) return gitDir

  makeFolder(folder)
  const leftOver = (await readdir(folder)).filter((name) => name.startsWith(making))
  for (const name of leftOver) await rm(join(folder, name), { recursive: true, force: true })

  const unfinished = await mkdtemp(join(folder, making))
  await git(['init', '--quiet', '--bare', '--template=', '--initial-branch=main', unfinished])
  await git(['--git-dir', unfinished, 'fast-import', '--quiet'], { input: commits })
  await rename(unfinished, gitDir)
  return gitDir
}

/** The commits of the fixture in the format of `git fast-import`. */
async function commitsOf(fixture: string): Promise<Buffer> {
  const tree = join(fixture, 'tree')
  const branches = join(fixture, 'branches')
  const stream = [commit('main', `Import ${basename(fixture)}`, await filesOf(tree))]
  for (const name of (await readdir(branches)).sort()) {
    const branch = name.replaceAll('__', '/')
    stream.push(commit(branch, `Work on ${branch}`, await filesOf(join(branches, name)), 'main'))
  }
  return Buffer.concat(stream)
}

function commit(branch: string, message: string, files: File[], parent?: string): Buffer {
  const head = [`commit refs/heads/${branch}`, `author ${author}`, `committer ${author}`]
  const from = parent ? [`from refs/heads/${parent}`] : []
  return Buffer.concat([
    Buffer.from(`${head.join('\n')}\n`),
    data(Buffer.from(`${message}\n`)),
    ...from.map((line) => Buffer.from(`${line}\n`)),
    ...files.flatMap(({ path, content }) => [Buffer.from(`M 100644 inline ${path}\n`), data(content)]),
  ])
}

const data = (content: Buffer) =>
  Buffer.concat([Buffer.from(`data ${content.length}\n`), content, Buffer.from('\n')])

async function filesOf(folder: string): Promise<File[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const names = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return Promise.all(
    names.sort().map(async (name) => ({
      path: name.slice(folder.length + 1).replaceAll(sep, '/'),
      content: await readFile(name),
    })),
  )
}
