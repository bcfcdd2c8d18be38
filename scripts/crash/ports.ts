// Ports for three agents of one run.
import { createServer } from 'node:net'
import { type AgentName, agentNames } from '../kit.ts'

/** Below the ports that the system gives to clients: one of those could take an agent's place while it is down. */
export async function freePorts(): Promise<Record<AgentName, number>> {
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
