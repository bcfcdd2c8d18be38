// The agents that a capture is played against: those that run already, or those that are started for it and stopped after.
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AgentName, kinds, type Seat, type Seats } from '../../capture/kit.ts'
import {
  type AgentProcess,
  agentAt,
  agentNames,
  portsFrom,
  portVariable,
  startMain,
  stopAll,
  whenHealthy,
} from '../kit.ts'
import { freePort } from '../ports.ts'

/** Where agents that were started for a tutorial are, so that they can be started again there. */
export interface Home {
  dataDir: string
  ports: Partial<Record<AgentName, number>>
}

export interface TutorialAgents {
  urls: Map<AgentName, string>
  /** Undefined for agents that ran already. */
  home: Home | undefined
  /** Stops an agent and starts it again on its data; undefined for agents that are not the tutorial's. */
  restart: ((name: AgentName) => Promise<void>) | undefined
  /** Stops what was started. Its data stays if it is needed again. */
  stop(keepData: boolean): Promise<void>
}

export interface AgentOptions {
  env: NodeJS.ProcessEnv
  /** Where they were when the tutorial was left. */
  home?: Home | undefined
  /** Start some even if others run. */
  own?: boolean | undefined
  /** Told that agents are being started, which takes seconds; what it returns is called when that is over. */
  starting?: ((names: AgentName[]) => () => void) | undefined
  /** Aborts when they are not wanted any more: what was started is stopped. */
  signal?: AbortSignal | undefined
}

/** @throws Error if an agent does not start */
export async function agentsFor(seats: Seats, options: AgentOptions): Promise<TutorialAgents> {
  const found = options.home || options.own ? undefined : await agentsThatRun(seats, options.env)
  if (found) return { urls: found, home: undefined, restart: undefined, stop: async () => {} }
  const started = options.starting?.(Object.keys(seats) as AgentName[])
  return startAgents(seats, options).finally(started)
}

/** Whether the agents of `npm start`, as they are by default, are all that is needed. */
export const areDefault = (seats: Seats): boolean =>
  (Object.entries(seats) as [AgentName, Seat][]).every(
    ([name, { env, signingKey }]) => agentNames.some((one) => one === name) && !env && !signingKey,
  )

async function agentsThatRun(
  seats: Seats,
  env: NodeJS.ProcessEnv,
): Promise<Map<AgentName, string> | undefined> {
  if (!areDefault(seats)) return undefined
  const ports = portsFrom(env)
  const urls = new Map<AgentName, string>()
  for (const name of agentNames.filter((one) => seats[one])) {
    const url = `http://localhost:${ports[name]}`
    if ((await agentAt(url)) !== name) return undefined
    urls.set(name, url)
  }
  return urls
}

async function startAgents(seats: Seats, { home, env, signal }: AgentOptions): Promise<TutorialAgents> {
  const dataDir =
    home && existsSync(home.dataDir)
      ? home.dataDir
      : await mkdtemp(join(env.TMPDIR ?? tmpdir(), 'a2a-kit-tutorial-'))
  const names = Object.keys(seats) as AgentName[]
  const ports: Home['ports'] = {}
  for (const name of names) ports[name] = home?.ports[name] ?? (await freePort())
  const urls = new Map(names.map((name) => [name, `http://localhost:${ports[name]}`]))
  const peers = agentNames.flatMap((name) => {
    const variable = portVariable(name).replace('_PORT', '_URL')
    return urls.has(name) ? [[variable, urls.get(name)!]] : []
  })
  const logFile = join(dataDir, 'agents.log')
  // What the reader's environment says of agents is for other ones.
  const { PATH, HOME, TMPDIR } = env
  const common = { PATH, HOME, TMPDIR, DATA_DIR: dataDir, GRPC_PORT: '0', LOG_LEVEL: 'warn' }
  const start = (name: AgentName): AgentProcess => {
    const { env: own, signingKey }: Seat = seats[name]!
    const keyFile = join(dataDir, `${name}.key`)
    if (signingKey) writeFileSync(keyFile, signingKey, { mode: 0o600 })
    const key = signingKey ? { SIGNING_KEY_FILE: keyFile } : {}
    const log = openSync(logFile, 'a')
    const agent = startMain(kinds[name].main, {
      name,
      port: ports[name]!,
      env: { ...common, ...Object.fromEntries(peers), ...key, ...own },
      output: log,
    })
    closeSync(log)
    return agent
  }
  const agents = new Map(names.map((name) => [name, start(name)]))
  const restart = async (name: AgentName) => {
    await stopAll([agents.get(name)!])
    agents.set(name, start(name))
    await whenHealthy(agents.get(name)!)
  }
  const stop = async (keepData: boolean) => {
    await stopAll(agents.values())
    if (!keepData) await rm(dataDir, { recursive: true, force: true })
  }
  const giveUp = () => void stopAll(agents.values())
  signal?.addEventListener('abort', giveUp)
  try {
    await Promise.all([...agents.values()].map(whenHealthy))
    signal?.throwIfAborted()
  } catch (error) {
    const why = /^Cannot start.*$/m.exec(readFileSync(logFile, 'utf8'))?.[0]
    await stop(home !== undefined)
    throw new Error(why ?? (error as Error).message)
  } finally {
    signal?.removeEventListener('abort', giveUp)
  }
  return { urls, home: { dataDir, ports }, restart, stop }
}
