// The three agents of one run, on ports and data of their own: one of them is killed once and started again at once.
import { closeSync, openSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import {
  type AgentName,
  type AgentProcess,
  agentAt,
  agentNames,
  startAgentProcess,
  whenHealthy,
} from '../kit.ts'
import { freePorts } from '../ports.ts'
import type { Point } from './points.ts'

export interface RunningKit {
  urls: Record<AgentName, string>
  dataDir: string
  /** True once the agent was killed. */
  wasKilled(): boolean
  /** Rejects when an agent ends that nobody ended. */
  broken: Promise<never>
  /** Resolves when all answer, also the one that was killed. */
  answering(): Promise<void>
  /** Stops all. Resolves with what went wrong at that. */
  stop(): Promise<string[]>
}

export interface RunOptions {
  /** For data, logs and the moments that were seen. */
  folder: string
  /** For compiled code, kept between runs, since starting is most of what a run does. */
  cache: string
  /** Where to kill; without it nobody is killed, and the moments of all agents are written down. */
  point?: Point
}

export const momentsFile = (folder: string, agent: AgentName): string => join(folder, `${agent}.moments`)

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
    const log = openSync(join(folder, `${name}.log`), 'a')
    const agent = startAgentProcess(name, {
      ports,
      env: {
        ...process.env,
        NODE_COMPILE_CACHE: cache,
        LOG_LEVEL: 'info',
        GRPC_PORT: 'off', // nobody here speaks it, and loading it is part of each start
        DATA_DIR: dataDir,
        TMPDIR: folder, // what a killed agent leaves there goes with the rest
        ...moments,
      },
      output: log,
      ...(canBeKilled ? { via: 'scripts/crash/killable.ts' } : {}),
    })
    closeSync(log)
    processes.set(name, agent)
    void agent.ended.then((how) => {
      if (how === 'SIGKILL' && name === point?.agent && canBeKilled) {
        killed = true
        if (!stopping) start(name, false)
      } else if (!stopping) {
        broken.reject(new Error(`${name} ended with ${how}, and nobody ended it.`))
      }
    })
    return agent
  }

  /** For an end of this process before theirs. */
  const killAll = () => {
    for (const { child } of processes.values()) child.kill('SIGKILL')
  }
  process.once('exit', killAll)

  async function stop(): Promise<string[]> {
    stopping = true
    const ends = [...processes].map(async ([name, { child, ended }]) => {
      child.kill('SIGTERM')
      const how = await ended
      const asItShould = how === 0 || (how === 'SIGKILL' && name === point?.agent)
      return asItShould ? [] : [`${name} ended with ${how} when it was stopped`]
    })
    const problems = (await Promise.all(ends)).flat()
    process.off('exit', killAll)
    return problems
  }

  const started = agentNames.map((name) => start(name, point === undefined || point.agent === name))
  try {
    await Promise.all(started.map(whenHealthy))
  } catch (error) {
    await stop()
    throw error
  }
  const urls = Object.fromEntries(started.map(({ name, url }) => [name, url])) as Record<AgentName, string>

  async function answering(): Promise<void> {
    for (const name of agentNames) {
      while ((await agentAt(urls[name])) !== name) await pause(50)
    }
  }

  return { urls, dataDir, wasKilled: () => killed, broken: broken.promise, answering, stop }
}
