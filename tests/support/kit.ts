// Starts the three agents as processes for a test, on free ports and data of their own.
import { createServer } from 'node:net'
import { onTestFinished } from 'vitest'
import {
  type AgentName,
  type AgentProcess,
  agentNames,
  startAgentProcess,
  stopAll,
  whenHealthy,
} from '../../scripts/kit.ts'
import { temporaryFolder } from './probe.ts'

export interface Kit {
  ports: Record<AgentName, number>
  agents: AgentProcess[]
  dataDir: string
}

/** A port that nothing listens on now. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}

/** Stopped when the test is over. */
export async function startKit(env: NodeJS.ProcessEnv = {}): Promise<Kit> {
  const [planner, reviewer, deployer] = await Promise.all([freePort(), freePort(), freePort()])
  const ports = { planner, 'code-reviewer': reviewer, deployer }
  const dataDir = await temporaryFolder()
  const options = {
    ports,
    output: 'ignore' as const,
    env: { ...process.env, DATA_DIR: dataDir, LOG_LEVEL: 'silent', GRPC_PORT: '0', ...env },
  }
  const agents = agentNames.map((name) => startAgentProcess(name, options))
  onTestFinished(() => stopAll(agents))
  await Promise.all(agents.map(whenHealthy))
  return { ports, agents, dataDir }
}
