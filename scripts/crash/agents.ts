// The three agents of one run, on ports and data of their own: one of them is killed once and started again at once.
import { openSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type AgentName, type AgentProcess, agentNames, startAgentProcess, whenHealthy } from '../kit.ts'
import type { Point } from './points.ts'

export interface RunningKit {
  urls: Record<AgentName, string>
  dataDir: string
  /** True once the agent was killed. */
  wasKilled(): boolean
  /** Rejects when an agent ends that nobody ended. */
  broken: Promise<never>
  /** Stops all. @returns how each agent ended: an exit code or a signal */
  stop(): Promise<Record<AgentName, number | NodeJS.Signals>>
}

export interface RunOptions {
  /** For data, logs and the moments that were seen. */
  folder: string
  /** Where to kill; without it nothing is killed, and the moments of all agents are written down. */
  point?: Omit<Point, 'story'>
  /** Keeps compiled code between runs, since starting is most of what a run does. */
  cache: string
}

export const momentsFile = (folder: string, agent: AgentName): string => join(folder, `${agent}.moments`)
export const logFile = (folder: string, agent: AgentName): string => join(folder, `${agent}.log`)

/** Resolves when all three answer. */
export async function startKit({ folder, point, cache }: RunOptions): Promise<RunningKit> {
  const dataDir = join(folder, 'data')
  await mkdir(dataDir, { recursive: true })
  const ports = await freePorts()
  const processes = new Map<AgentName, AgentProcess>()
  const broken = Promise.withResolvers<never>()
  broken.promise.catch(() => {}) // who runs the story looks; nobody does afterwards
  let killed = false
  let stopping = false

  function start(name: AgentName, canBeKilled: boolean): AgentProcess {
    const moments = canBeKilled ? { CRASH_MOMENTS: momentsFile(folder, name), CRASH_AT: point?.moment } : {}
    const agent = startAgentProcess(name, {
      ports,
      env: { ...process.env, NODE_COMPILE_CACHE: cache, LOG_LEVEL: 'info', DATA_DIR: dataDir, ...moments },
      output: openSync(logFile(folder, name), 'a'),
      ...(canBeKilled ? { via: 'scripts/crash/killable.ts' } : {}),
    })
    processes.set(name, agent)
    void agent.ended.then((how) => {
      if (stopping) return
      if (how !== 'SIGKILL' || name !== point?.agent || killed) {
        return broken.reject(new Error(`${name} ended with ${how}, and nobody ended it.`))
      }
      killed = true
      start(name, false)
    })
    return agent
  }

  async function stop() {
    stopping = true
    const ends = [...processes].map(async ([name, { child, ended }]) => {
      child.kill('SIGTERM')
      return [name, await ended] as const
    })
    return Object.fromEntries(await Promise.all(ends)) as Record<AgentName, number | NodeJS.Signals>
  }

  const started = agentNames.map((name) => start(name, point === undefined || point.agent === name))
  try {
    await Promise.all(started.map(whenHealthy))
  } catch (error) {
    await stop()
    throw error
  }
  const urls = Object.fromEntries(started.map(({ name, url }) => [name, url])) as Record<AgentName, string>
  return { urls, dataDir, wasKilled: () => killed, broken: broken.promise, stop }
}

/** Below the ports that the system gives to clients: one of those could take an agent's place while it is down. */
async function freePorts(): Promise<Record<AgentName, number>> {
  const found: number[] = []
  while (found.length < agentNames.length) {
    const port = 20_000 + Math.floor(Math.random() * 12_000)
    if (!found.includes(port) && (await isFree(port))) found.push(port)
  }
  return Object.fromEntries(agentNames.map((name, index) => [name, found[index]!])) as Record<
    AgentName,
    number
  >
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
