// The agents of one capture: on its seeds and clock, on free ports, under the addresses that the documentation names.
import { rmSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeCodeReviewer } from '@a2a-kit/code-reviewer/make'
import { readProfile } from '@a2a-kit/conformance/profile'
import { makeDeployer } from '@a2a-kit/deployer/make'
import { earlyAccess } from '@a2a-kit/early-access'
import { openRegistrations } from '@a2a-kit/early-access/registrations'
import { makePlanner } from '@a2a-kit/planner/make'
import {
  type Agent,
  type Configuration,
  type RunningAgent,
  readConfiguration,
  startAgent,
  type World,
} from '@a2a-kit/task-core'
import { pino } from 'pino'
import pretty from 'pino-pretty'
import type { Dispatcher } from 'undici'
import { makeReleaseManager } from './agents/release-manager.ts'
import { captureWorld, type FixedIds } from './world.ts'

/** What an agent of a capture is made from. */
interface Makings {
  configuration: Configuration
  env: NodeJS.ProcessEnv
  world: World
  /** How it reaches other agents. */
  dispatcher: Dispatcher
}

interface Kind {
  /** The port that the documentation names; gRPC has the one that is 1000 higher. */
  port: number
  /** The file that runs it as a process. */
  main: string
  make(makings: Makings): Agent | Promise<Agent>
}

// One more agent in captures is one more entry here.
export const kinds = {
  planner: {
    port: 41241,
    main: 'agents/planner/src/main.ts',
    make: ({ env, dispatcher }) => makePlanner(env, { dispatcher }),
  },
  'code-reviewer': {
    port: 41242,
    main: 'agents/code-reviewer/src/main.ts',
    make: ({ configuration }) => makeCodeReviewer(configuration),
  },
  deployer: {
    port: 41243,
    main: 'agents/deployer/src/main.ts',
    make: ({ configuration, env, world }) => makeDeployer(configuration, env, world.now),
  },
  'early-access': {
    port: 41244,
    main: 'agents/early-access/src/main.ts',
    make: ({ configuration: { dataDir } }) => earlyAccess(openRegistrations(dataDir)),
  },
  'release-manager': {
    port: 41245,
    main: 'capture/agents/release-manager-main.ts',
    make: ({ env, dispatcher }) => makeReleaseManager(env, { dispatcher }),
  },
  conformance: {
    port: 41249,
    main: 'agents/conformance/src/main.ts',
    make: ({ env }) => readProfile(env).agent,
  },
} satisfies Record<string, Kind>

export type AgentName = keyof typeof kinds

/** How an agent is set up for a capture. */
export interface Seat {
  /** What its environment sets: the variables of the README. */
  env?: Record<string, string>
  /** Its first ids, where they are fixed. */
  ids?: FixedIds
  /** The private key that signs its card, as PEM or JWK. */
  signingKey?: string
}

export type Seats = Partial<Record<AgentName, Seat>>

export const baseOf = (name: AgentName): string => `http://localhost:${kinds[name].port}`

export interface Kit {
  /** Where each agent really listens. */
  port(name: AgentName): number
  /** Where its clock stands, in ms since the epoch. */
  clock(name: AgentName): number
  /** Stops the agent and starts it again on the same data and, from then on, another port. */
  restart(name: AgentName): Promise<void>
  close(): Promise<void>
}

export interface KitOptions {
  /** The name of the capture. */
  capture: string
  seats: Seats
  /** How the agents reach each other, by who calls. */
  dispatcher(from: AgentName): Dispatcher
  /** Told where each agent listens. */
  listens(name: AgentName, port: number): void
  /** Where the agents listen, by default on free ports. */
  ports?: (name: AgentName) => number
}

/** Where what agents log is shown: beside the report of a command, not in it. */
const errors = pretty({ destination: 2, sync: true, ignore: 'time,pid,hostname' })

/** Starts the agents in this process, each on an own clock and own ids. */
export async function startKit({
  capture,
  seats,
  dispatcher,
  listens,
  ports = () => 0,
}: KitOptions): Promise<Kit> {
  const folder = await mkdtemp(join(tmpdir(), 'a2a-kit-capture-'))
  const removeFolder = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', removeFolder)
  const running = new Map<AgentName, { agent: RunningAgent; world: World; start(): Promise<RunningAgent> }>()

  async function seat(name: AgentName, { env = {}, ids, signingKey }: Seat): Promise<void> {
    const { port, make } = kinds[name] as Kind
    const keyFile = join(folder, `${name}.key`)
    if (signingKey) await writeFile(keyFile, signingKey, { mode: 0o600 })
    const own = {
      DATA_DIR: folder,
      PORT: String(ports(name)),
      GRPC_PORT: '0',
      PUBLIC_URL: baseOf(name),
      GRPC_PUBLIC_URL: `localhost:${port + 1000}`,
      LOG_LEVEL: 'error',
      ...(signingKey && { SIGNING_KEY_FILE: keyFile }),
      ...env,
    }
    const configuration = readConfiguration(own, { port })
    const world = captureWorld(`${capture}/${name}`, ids)
    const log = pino({ name, level: configuration.logLevel }, errors)
    const start = async () => {
      const agent = await make({ configuration, env: own, world, dispatcher: dispatcher(name) })
      return startAgent(agent, { ...configuration, log, world })
    }
    running.set(name, { agent: await start(), world, start })
    listens(name, running.get(name)!.agent.port)
  }

  async function close(): Promise<void> {
    await Promise.all([...running.values()].map(({ agent }) => agent.close()))
    process.off('exit', removeFolder)
    removeFolder()
  }

  try {
    for (const [name, one] of Object.entries(seats) as [AgentName, Seat][]) await seat(name, one)
  } catch (error) {
    await close()
    throw error
  }
  return {
    port: (name) => running.get(name)!.agent.port,
    clock: (name) => running.get(name)!.world.now(),
    async restart(name) {
      const one = running.get(name)!
      await one.agent.close()
      one.agent = await one.start()
      listens(name, one.agent.port)
    },
    close,
  }
}
