// One git repository as the reviewer sees it: its branches, and whether and how a diff applies to a commit of it.
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GitError, git } from './git.ts'

/** Git's word on a diff: `says` is what git printed, and `files` are those at fault. */
export type Applies =
  | { outcome: 'applies' }
  | { outcome: 'does not apply'; files: string[]; says: string[] }
  | { outcome: 'unreadable'; says: string[] }

/** Every call rejects with the signal's AbortError when it aborts, and with an Error when git is missing. */
export interface Repository {
  readonly name: string
  /** The names of the branches, sorted. */
  branches(signal?: AbortSignal): Promise<string[]>
  /** The hash of the branch's commit, or undefined if there is no such branch. */
  commitOf(branch: string, signal?: AbortSignal): Promise<string | undefined>
  /** Whether the diff applies to the files of a commit, which is given by its hash. */
  applies(diff: string, commit: string, signal?: AbortSignal): Promise<Applies>
  /**
   * Applies the diff to the files of a commit and gives git's own diff of the result, with every changed file whole.
   * So its line numbers are those of the new files, also where the given diff was some lines off.
   * @throws GitError when it does not apply
   */
  applied(diff: string, commit: string, signal?: AbortSignal): Promise<string>
}

/** The repository at `gitDir`, under the name by which clients know it. Nothing in it is ever written. */
export function openRepository(name: string, gitDir: string): Repository {
  // A client's branch name is only looked up in this map: it never becomes an argument of git.
  const heads = async (signal?: AbortSignal) => {
    const format = '--format=%(objectname) %(refname:lstrip=2)'
    const list = await git(['--git-dir', gitDir, 'for-each-ref', format, 'refs/heads/'], { signal })
    const pairs = list.split('\n').filter((line) => line !== '')
    return new Map(pairs.map((line) => [line.slice(line.indexOf(' ') + 1), line.slice(0, line.indexOf(' '))]))
  }

  /** Calls `work` with a git whose index holds the commit's files, and whose new objects go to a temporary folder. */
  async function withIndex<T>(
    commit: string,
    signal: AbortSignal | undefined,
    work: (gitHere: (args: string[], input?: string) => Promise<string>) => Promise<T>,
  ): Promise<T> {
    const folder = await mkdtemp(join(tmpdir(), 'review-'))
    const objects = join(folder, 'objects')
    const env = {
      GIT_INDEX_FILE: join(folder, 'index'),
      GIT_OBJECT_DIRECTORY: objects,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: join(gitDir, 'objects'),
    }
    const gitHere = (args: string[], input = '') =>
      git(['--git-dir', gitDir, ...args], { env, input, signal })
    try {
      await mkdir(objects)
      await gitHere(['read-tree', commit])
      return await work(gitHere)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  const apply = ['apply', '--cached', '--whitespace=nowarn']

  return {
    name,
    branches: async (signal) => [...(await heads(signal)).keys()].sort(),
    commitOf: async (branch, signal) => (await heads(signal)).get(branch),

    applies: (diff, commit, signal) =>
      withIndex(commit, signal, async (gitHere): Promise<Applies> => {
        try {
          await gitHere([...apply, '--check', '-'], diff)
          return { outcome: 'applies' }
        } catch (error) {
          if (!(error instanceof GitError)) throw error
          const says = error.words
          // Without its content a binary file applies to nothing, whatever the base.
          if (says.some((line) => /without full index line|missing binary patch/.test(line))) {
            return {
              outcome: 'unreadable',
              says: ['it leaves out binary content: send what `git diff --binary` prints'],
            }
          }
          // Git exits with 1 for a diff that does not fit these files, and with 128 for one that fits none.
          if (error.exitCode === 1) return { outcome: 'does not apply', files: filesIn(says), says }
          if (error.exitCode === 128) return { outcome: 'unreadable', says }
          throw error
        }
      }),

    applied: (diff, commit, signal) =>
      withIndex(commit, signal, async (gitHere) => {
        await gitHere([...apply, '-'], diff)
        return gitHere(['diff-index', '--cached', '--patch', '--find-renames', '--unified=1000000', commit])
      }),
  }
}

/** The files that git's words name, such as `src/a.ts: patch does not apply`. */
function filesIn(words: string[]): string[] {
  const named = words.flatMap((line) => {
    const match = /^patch failed: (.+):\d+$/.exec(line) ?? /^(?!patch failed: )(.+): [a-z ]+$/i.exec(line)
    return match?.[1] ?? []
  })
  return [...new Set(named)]
}
