// An agent as a process of its own, which a test kills and starts again in the same place.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { root } from '../../scripts/kit.ts'
import { freePort } from '../../scripts/ports.ts'
import { type Probe, talkTo } from './probe.ts'
import { until } from './wait.ts'

export interface ChildOptions {
  /** The file that runs the agent, from the project's folder; by default the conformance agent's. */
  main?: string
  env?: NodeJS.ProcessEnv
  /** For Node.js itself. */
  flags?: string[]
  dataDir?: string
  /** The largest file that it can write, in KiB: what a full disk is like. */
  fileLimit?: number
  /** Where to leave the work of cleaning up; by default the end of the test. */
  onEnd?: (clean: () => Promise<void>) => void
}

export interface Child extends Pick<Probe, 'call' | 'stream'> {
  url: string
  dataDir: string
  process: ChildProcess
  /** What it has written to its log and to stderr, as text. */
  log(): string
  /** Sends a signal, and resolves with how the process ended. */
  end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals>
  /** Starts it again: the same place, data and settings, but for `changed`. */
  again(changed?: ChildOptions): Promise<Child>
}

/** Starts the process; what is left of it when the test is over is killed. `ended` is for one that is not to come up. */
export function spawnAgent(
  port: number,
  { main, env, flags = [], dataDir, fileLimit, onEnd = onTestFinished }: ChildOptions,
) {
  const file = main ?? 'agents/conformance/src/main.ts'
  const node = [process.execPath, ...flags, 'scripts/run.mjs', file]
  const limited = ['bash', '-c', `trap "" XFSZ; ulimit -S -f ${fileLimit}; exec "$@"`, 'bash', ...node]
  const [command, ...words] = fileLimit ? limited : node
  const child = spawn(command!, words, {
    cwd: root,
    env: {
      ...process.env,
      ...(fileLimit ? { NODE_DISABLE_COMPILE_CACHE: '1' } : {}), // what it writes there would be cut off for all others
      DATA_DIR: dataDir,
      PORT: `${port}`,
      GRPC_PORT: 'off',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let text = ''
  for (const output of [child.stdout!, child.stderr!]) {
    output.setEncoding('utf8').on('data', (some: string) => {
      text += some
    })
  }
  const ended = new Promise<number | NodeJS.Signals>((resolve) => {
    child.once('close', (code, signal) => resolve(signal ?? code ?? 1))
  })
  onEnd(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return { process: child, ended, log: () => text }
}

/** Starts an agent as a process, and resolves when it answers. */
export async function startChild(options: ChildOptions = {}, port?: number): Promise<Child> {
  const place = port ?? (await freePort())
  const { onEnd = onTestFinished } = options
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'a2a-kit-')))
  if (!options.dataDir) onEnd(() => rm(dataDir, { recursive: true, force: true, maxRetries: 3 }))
  const { process: child, ended, log } = spawnAgent(place, { ...options, dataDir })
  const url = `http://localhost:${place}`
  let running = true
  void ended.then(() => {
    running = false
  })
  await until(`an answer of the agent at ${url}`, async () => {
    if (!running) throw new Error(`The agent ended at its start: ${log()}`)
    const answer = await fetch(`${url}/health`).catch(() => undefined)
    await answer?.text()
    return answer?.ok
  })
  return {
    url,
    dataDir,
    process: child,
    log,
    ...talkTo(`${url}/a2a`),
    end(signal) {
      child.kill(signal)
      return ended
    },
    again: (changed) => startChild({ ...options, dataDir, ...changed }, place),
  }
}
