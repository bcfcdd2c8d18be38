// Runs git: never through a shell, and blind to the configuration of the user and the machine.
import { execFile } from 'node:child_process'
import { devNull } from 'node:os'

export interface GitOptions {
  /** Environment variables for git, beside the few that it always gets. */
  env?: Record<string, string>
  /** What git reads from its standard input. */
  input?: string | Buffer
  /** Kills git when it aborts. */
  signal?: AbortSignal | undefined
}

/** Git ran and said no: `exitCode` and its own `words`, one line each, without the "error: " in front. */
export class GitError extends Error {
  override readonly name = 'GitError'
  readonly exitCode: number | undefined
  readonly words: string[]

  constructor(args: string[], exitCode: number | undefined, stderr: string) {
    const words = stderr
      .split('\n')
      .map((line) => line.replace(/^(?:error|fatal): /, '').trim())
      .filter((line) => line !== '')
    super(`git ${args.join(' ')} failed: ${words.join('; ') || `exit code ${exitCode}`}`)
    this.exitCode = exitCode
    this.words = words
  }
}

// Nothing else is inherited: a GIT_DIR or GIT_INDEX_FILE of a hook that started us would point git elsewhere.
const environment = (extra: Record<string, string>) => ({
  PATH: process.env.PATH,
  SystemRoot: process.env.SystemRoot,
  LC_ALL: 'C',
  GIT_CONFIG_GLOBAL: devNull,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  ...extra,
})

/**
 * Runs `git <args>` and gives what it wrote to its standard output.
 * @throws GitError when git fails, an AbortError when `signal` aborts, and an Error that says so when there is no git
 */
export function git(args: string[], { env = {}, input = '', signal }: GitOptions = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const settings = { env: environment(env), maxBuffer: 256 * 1024 * 1024, signal }
    const child = execFile('git', args, settings, (error, stdout, stderr) => {
      if (!error) return resolve(stdout)
      if (error.code === 'ENOENT') {
        return reject(new Error('git was not found: install git 2.30 or later and put it on the PATH'))
      }
      if (error.name === 'AbortError') return reject(error)
      reject(new GitError(args, typeof error.code === 'number' ? error.code : undefined, stderr))
    })
    // Git may leave before it has read everything; its exit code says why, so the broken pipe adds nothing.
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
  })
}
