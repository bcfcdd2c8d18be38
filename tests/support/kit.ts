// Starts the three agents as processes for a test, on free ports and data of their own.
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import {
  type AgentName,
  type AgentProcess,
  agentNames,
  portVariable,
  startAgentProcess,
  stopAll,
  whenHealthy,
} from '../../scripts/kit.ts'
import { freePorts } from '../../scripts/ports.ts'
import { type OnEnd, temporaryFolder } from './probe.ts'

export interface Kit {
  ports: Record<AgentName, number>
  agents: AgentProcess[]
  dataDir: string
}

/** Stopped when the test is over, or where `onEnd` leaves that to. */
export async function startKit(env: NodeJS.ProcessEnv = {}, onEnd: OnEnd = onTestFinished): Promise<Kit> {
  const ports = await freePorts()
  const dataDir = await temporaryFolder(onEnd)
  const options = {
    ports,
    output: 'ignore' as const,
    env: { ...process.env, DATA_DIR: dataDir, LOG_LEVEL: 'silent', GRPC_PORT: '0', ...env },
  }
  const agents = agentNames.map((name) => startAgentProcess(name, options))
  onEnd(() => stopAll(agents))
  await Promise.all(agents.map(whenHealthy))
  return { ports, agents, dataDir }
}

/** A kit that starts before the first test of the file and ends after the last. */
export function oneKit(): () => Kit {
  let kit: Kit
  const cleaning: (() => Promise<unknown>)[] = []
  beforeAll(async () => {
    kit = await startKit({}, (clean) => void cleaning.unshift(clean))
  }, 60_000)
  afterAll(async () => {
    for (const clean of cleaning) await clean()
  })
  return () => kit
}

/** The variables that say where such a kit runs. */
export function shareKit(): () => NodeJS.ProcessEnv {
  const kit = oneKit()
  return () => Object.fromEntries(agentNames.map((name) => [portVariable(name), String(kit().ports[name])]))
}
