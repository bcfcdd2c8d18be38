// The agents that a capture is played against: those that run already, or those that are started for it and stopped after.
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AgentName, kinds, type Seat, type Seats } from '../../capture/kit.ts'
import { agentAt, agentNames, portsFrom, portVariable, startMain, stopAll, whenHealthy } from '../kit.ts'
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
  /** Stops what was started. Its data stays if it is needed again. */
  stop(keepData: boolean): Promise<void>
}

export interface AgentOptions {
  /** Where they were when the tutorial was left. */
  home?: Home | undefined
  env: NodeJS.ProcessEnv
}

/** @throws Error if an agent does not start */
export async function agentsFor(seats: Seats, options: AgentOptions): Promise<TutorialAgents> {
  const found = options.home ? undefined : await agentsThatRun(seats, options.env)
  return found ? { urls: found, home: undefined, stop: async () => {} } : startAgents(seats, options)
}

/** Only agents of `npm start` run already, as they are by default. */
async function agentsThatRun(
  seats: Seats,
  env: NodeJS.ProcessEnv,
): Promise<Map<AgentName, string> | undefined> {
  const ports = portsFrom(env)
  const urls = new Map<AgentName, string>()
  for (const [name, { env: own, signingKey }] of Object.entries(seats) as [AgentName, Seat][]) {
    const known = agentNames.find((one) => one === name)
    if (!known || own || signingKey) return undefined
    const url = `http://localhost:${ports[known]}`
    if ((await agentAt(url)) !== name) return undefined
    urls.set(name, url)
  }
  return urls
}

async function startAgents(seats: Seats, { home, env }: AgentOptions): Promise<TutorialAgents> {
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
  const log = openSync(logFile, 'a')
  // What the reader's environment says of agents is for other ones.
  const { PATH, HOME, TMPDIR } = env
  const common = { PATH, HOME, TMPDIR, DATA_DIR: dataDir, GRPC_PORT: '0', LOG_LEVEL: 'warn' }
  const agents = names.map((name) => {
    const { env: own, signingKey }: Seat = seats[name]!
    const keyFile = join(dataDir, `${name}.key`)
    if (signingKey) writeFileSync(keyFile, signingKey, { mode: 0o600 })
    const key = signingKey ? { SIGNING_KEY_FILE: keyFile } : {}
    return startMain(kinds[name].main, {
      name,
      port: ports[name]!,
      env: { ...common, ...Object.fromEntries(peers), ...key, ...own },
      output: log,
    })
  })
  closeSync(log)
  const stop = async (keepData: boolean) => {
    await stopAll(agents)
    if (!keepData) await rm(dataDir, { recursive: true, force: true })
  }
  try {
    await Promise.all(agents.map(whenHealthy))
  } catch (error) {
    const why = /^Cannot start.*$/m.exec(readFileSync(logFile, 'utf8'))?.[0]
    await stop(false)
    throw new Error(why ?? (error as Error).message)
  }
  return { urls, home: { dataDir, ports }, stop }
}
