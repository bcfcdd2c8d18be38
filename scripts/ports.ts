// Ports for agents that tests and checks start.
import { createServer } from 'node:net'
import { type AgentName, agentNames } from './kit.ts'

/**
 * A port that is free on 127.0.0.1, below those that the system gives to clients: one of these could take an agent's place before it
 * listens, or while it is down.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000)
    if (await isFree(port)) return port
  }
}

/** One for each agent of a run. */
export async function freePorts(): Promise<Record<AgentName, number>> {
  const found = new Set<number>()
  while (found.size < agentNames.length) found.add(await freePort())
  const ports = [...found]
  return Object.fromEntries(agentNames.map((name, index) => [name, ports[index]!])) as Record<
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
