// One agent of a run as a process, which faults stop, kill, pause, shake and start again.
import { createWriteStream, mkdirSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type AgentProcess, startMain } from '../kit.ts'
import type { Name } from './agents.ts'
import type { Held, Order } from './orders.ts'

const mains: Record<Name, string> = {
  planner: 'agents/planner/src/main.ts',
  'code-reviewer': 'agents/code-reviewer/src/main.ts',
  deployer: 'agents/deployer/src/main.ts',
  conformance: 'scripts/chaos/scripted.ts',
}

/** Short, so that a round has not to wait for them. */
const settings = {
  HEARTBEAT_MS: '500',
  PUSH_ALLOWED_HOSTS: '127.0.0.0/8',
  PUSH_TIMEOUT_MS: '700',
  PUSH_ATTEMPTS: '1000000',
  PUSH_FIRST_DELAY_MS: '20',
  PUSH_LONGEST_DELAY_MS: '300',
  STREAM_ARTIFACTS: 'true',
  GRPC_PORT: 'off',
  LOG_LEVEL: 'info',
}

export interface Agent {
  name: Name
  /** The port that it listens on. */
  port: number
  /** The port that its card names: a wire with faults leads from there to `port`. */
  wirePort: number
  /** Its address as others use it. */
  url: string
  dataDir: string
  /** The file of its database. */
  file: string
  log: string
  pid(): number
  /** How often it was started. */
  starts(): number
  /** Starts it; it answers later. */
  start(): void
  /** Sends a signal, and resolves with how the process ended. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | NodeJS.Signals>
  /** Sends SIGSTOP or SIGCONT. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void
  /** Gives it an order, and resolves with what it holds; undefined if it ended before it answered. */
  order(order: Order): Promise<Held | undefined>
  /** An end by an order is no surprise; it is then started again. */
  mayDie(may: boolean): void
  /** Resolves when it answers. @throws Error when it ends before that */
  answers(): Promise<void>
  /** Starts it where it may refuse to start: resolves when it answers, or with how it ended. */
  startOrEnd(): Promise<'answers' | number | NodeJS.Signals>
}

export interface AgentParts {
  name: Name
  port: number
  folder: string
  cache: string
  wirePorts: Record<Name, number>
  surprises: string[]
}

/** The agent, not started yet. Ends that nobody wanted are added to `surprises`. */
export function makeAgent({ name, port, folder, cache, wirePorts, surprises }: AgentParts): Agent {
  const dataDir = join(folder, 'data', name)
  const log = join(folder, `${name}.log`)
  const at = (one: Name) => `http://127.0.0.1:${wirePorts[one]}`
  mkdirSync(dataDir, { recursive: true })
  let running: AgentProcess | undefined
  let starts = 0
  let awaited = false
  let mortal = false

  function start(): void {
    starts += 1
    awaited = false
    const started = startMain(mains[name], {
      name,
      port,
      via: 'scripts/chaos/shaken.ts',
      ipc: true,
      output: 'pipe', // a full disk is one of the faults, and its log is not what it is about
      env: {
        ...process.env,
        ...settings,
        NODE_COMPILE_CACHE: cache,
        TMPDIR: cache, // the loader of TypeScript keeps its work there, for all of them
        DATA_DIR: dataDir,
        COUNTED: join(dataDir, 'counted'),
        PUBLIC_URL: at(name),
        CODE_REVIEWER_URL: at('code-reviewer'),
        DEPLOYER_URL: at('deployer'),
      },
    })
    for (const output of [started.child.stdout!, started.child.stderr!])
      output.pipe(createWriteStream(log, { flags: 'a' }))
    running = started
    void started.ended.then((how) => {
      if (running !== started || awaited) return
      if (how === 'SIGKILL' && mortal) start()
      else surprises.push(`${name} ended with ${how}, and nobody ended it: see ${log}`)
    })
  }

  const agent: Agent = {
    name,
    port,
    wirePort: wirePorts[name],
    url: at(name),
    dataDir,
    file: join(dataDir, `${name}.db`),
    log,
    pid: () => running?.child.pid ?? 0,
    starts: () => starts,
    start,
    end(signal) {
      awaited = true
      running!.child.kill(signal)
      return running!.ended
    },
    signal: (signal) => void running!.child.kill(signal),
    mayDie(may) {
      mortal = may
    },
    order(order) {
      const { child, ended } = running!
      return new Promise((resolve) => {
        child.once('message', (held) => resolve(held as Held))
        void ended.then(() => resolve(undefined))
        child.send(order, (error) => error && resolve(undefined))
      })
    },
    async answers() {
      while (!(await isHealthy(port))) {
        const current = running!
        const gone = current.child.exitCode !== null || current.child.signalCode !== null
        if (gone && running === current && !mortal) throw new Error(`${name} does not run: see ${log}`)
        await pause(25)
      }
    },
    async startOrEnd() {
      start()
      awaited = true
      const answers = agent.answers().then(() => 'answers' as const)
      answers.catch(() => {})
      const how = await Promise.race([answers, running!.ended])
      if (how === 'answers') awaited = false
      return how
    },
  }
  return agent
}

/** On a connection of its own, so that none is left open. */
const isHealthy = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const asked = get({ host: '127.0.0.1', port, path: '/health', agent: false, timeout: 2000 }, (answer) => {
      answer.resume().on('close', () => resolve(answer.statusCode === 200))
    })
    asked.on('timeout', () => asked.destroy())
    asked.on('error', () => resolve(false))
  })
