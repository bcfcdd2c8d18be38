// The agents of the demo: those that run already, or those that it starts and stops.
import { openSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { makeFolder } from '@a2a-kit/task-core'
import {
  type AgentName,
  type AgentProcess,
  agentAt,
  agentNames,
  portsFrom,
  root,
  startAgentProcess,
  stopAll,
  whenHealthy,
} from '../kit.ts'

export interface DemoAgents {
  urls: Record<AgentName, string>
  /** True if they ran before the demo. */
  found: boolean
  dataDir: string
  logFile: string
  /** Kills an agent that the demo started as nothing can prevent, and says its process id. */
  kill(name: AgentName): Promise<number>
  start(name: AgentName): Promise<void>
  stop(): Promise<void>
}

/**
 * `say` is told of an agent that takes long to start.
 * @throws Error if a port is taken by something else, only some of the agents run, one public address is set for all, or
 *   they would speak TLS
 */
export async function demoAgents(say: (line: string) => void): Promise<DemoAgents> {
  const ports = portsFrom(process.env)
  const urls = Object.fromEntries(
    agentNames.map((name) => [name, `http://localhost:${ports[name]}`]),
  ) as Record<AgentName, string>
  const running = await Promise.all(agentNames.map((name) => agentAt(urls[name])))
  const found = running.every((name, index) => name === agentNames[index])
  if (!found && running.some((name) => name !== undefined)) {
    const which = agentNames.filter((name, index) => running[index] === name)
    throw new Error(
      `Only ${which.join(' and ') || 'other agents'} run on the demo's ports. Stop them, or start all three with npm start.`,
    )
  }
  if (!found && process.env.TLS_CERT_FILE) {
    throw new Error('The demo speaks no TLS: start it without TLS_CERT_FILE and TLS_KEY_FILE.')
  }
  const dataDir = resolve(root, process.env.DATA_DIR ?? 'data')
  const logFile = join(dataDir, 'demo.log')
  const processes = new Map<AgentName, AgentProcess>()
  makeFolder(dataDir)
  const log = openSync(logFile, 'a')

  async function start(name: AgentName): Promise<void> {
    const started = startAgentProcess(name, { ports, output: log })
    processes.set(name, started)
    await whenHealthy({ ...started, say }).catch((error: Error) => {
      const reason = readFileSync(logFile, 'utf8')
        .match(/^Cannot start.*$/gm)
        ?.at(-1)
      throw new Error(reason ?? `${error.message} Its log is ${logFile}.`)
    })
  }

  async function stop(): Promise<void> {
    await stopAll(processes.values())
  }

  if (!found) {
    try {
      await Promise.all(agentNames.map(start))
    } catch (error) {
      await stop()
      throw error
    }
  }
  return {
    urls,
    found,
    dataDir,
    logFile: relative(process.cwd(), logFile),
    async kill(name) {
      const { child, ended } = processes.get(name)!
      child.kill('SIGKILL')
      await ended
      processes.delete(name)
      return child.pid!
    },
    start,
    stop,
  }
}
