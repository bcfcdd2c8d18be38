// An agent as a process of its own, which a test kills and starts again in the same place.
import { type ChildProcess, spawn } from 'node:child_process'
import { onTestFinished } from 'vitest'
import { root } from '../../scripts/kit.ts'
import { freePort } from './kit.ts'
import { type Probe, talkTo, temporaryFolder } from './probe.ts'
import { until } from './wait.ts'

export interface ChildOptions {
  /** The file that runs the agent, from the project's folder; by default the conformance agent's. */
  main?: string
  env?: NodeJS.ProcessEnv
  /** For Node.js itself. */
  flags?: string[]
  dataDir?: string
}

export interface Child extends Pick<Probe, 'call' | 'stream'> {
  url: string
  dataDir: string
  process: ChildProcess
  /** What it has written to its log and to stderr, as text. */
  log(): string
  /** Sends a signal, and resolves with how the process ended. */
  end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals>
  /** Starts it again: the same place, data and settings, but for `env`. */
  again(env?: NodeJS.ProcessEnv): Promise<Child>
}

/** Starts the process; what is left of it when the test is over is killed. Use `ended` for one that is not to come up. */
export function spawnAgent(port: number, { main, env, flags = [], dataDir }: ChildOptions) {
  const file = main ?? 'agents/conformance/src/main.ts'
  const child = spawn(process.execPath, [...flags, 'scripts/run.mjs', file], {
    cwd: root,
    env: { ...process.env, DATA_DIR: dataDir, PORT: `${port}`, ...env },
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
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return { process: child, ended, log: () => text }
}

/** Starts an agent as a process, and resolves when it answers. */
export async function startChild(options: ChildOptions = {}, port?: number): Promise<Child> {
  const place = port ?? (await freePort())
  const dataDir = options.dataDir ?? (await temporaryFolder())
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
    again: (env) => startChild({ ...options, dataDir, env: { ...options.env, ...env } }, place),
  }
}
