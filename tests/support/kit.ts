// Starts the three agents as processes for a test, on free ports and data of their own.
import { onTestFinished } from 'vitest'
import {
  type AgentName,
  type AgentProcess,
  agentNames,
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
