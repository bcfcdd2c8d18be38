// A process of its own with the agents that are fuzzed: starts them afresh when told, and tells how it is.
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { makeCodeReviewer } from '@a2a-kit/code-reviewer/make'
import { conformance } from '@a2a-kit/conformance'
import { makeDeployer } from '@a2a-kit/deployer/make'
import {
  type Agent,
  type RunningAgent,
  readConfiguration,
  realWorld,
  startAgent,
  type World,
} from '@a2a-kit/task-core'
import { pino } from 'pino'
import { idFrom } from '../../capture/world.ts'
import type { Order, Seat, Started, Vitals } from './agents.ts'

let running: RunningAgent[] = []
const loop = monitorEventLoopDelay({ resolution: 5 })

const makers: Record<Seat['agent'], (dataDir: string) => Agent | Promise<Agent>> = {
  conformance: () => conformance,
  'code-reviewer': (dataDir) => makeCodeReviewer({ dataDir }),
  deployer: (dataDir) => makeDeployer({ dataDir }),
}

async function start(folder: string, seed: number, seats: readonly Seat[]): Promise<Started> {
  const log = pino({ level: 'error' }, pino.destination({ dest: join(folder, 'agents.log'), sync: true }))
  for (const seat of seats) {
    const dataDir = join(folder, seat.name)
    const configuration = readConfiguration({ PORT: '0', DATA_DIR: dataDir, ...seat.env }, { port: 0 })
    const agent = await makers[seat.agent](dataDir)
    running.push(await startAgent(agent, { ...configuration, log, world: seeded(`${seed}/${seat.name}`) }))
  }
  loop.enable()
  return { ports: running.map(({ port }) => port) }
}

/** The same ids for the same seed. */
function seeded(seed: string): World {
  let given = 0
  const id = () => {
    given += 1
    return idFrom(`${seed}/${given}`)
  }
  return { ...realWorld, id }
}

async function stop(): Promise<object> {
  await Promise.all(running.map((agent) => agent.close()))
  running = []
  return {}
}

function vitals(): Vitals {
  globalThis.gc?.()
  globalThis.gc?.()
  const longestStall = loop.max / 1e6
  loop.reset()
  const { heapUsed, external } = process.memoryUsage()
  return { heap: heapUsed, external, longestStall, handles: process.getActiveResourcesInfo().length }
}

process.on('message', async (order: Order) => {
  const answer =
    order.do === 'start'
      ? await start(order.folder, order.seed, order.seats)
      : order.do === 'stop'
        ? await stop()
        : vitals()
  process.send!(answer)
})
process.on('disconnect', () => process.exit(0))
