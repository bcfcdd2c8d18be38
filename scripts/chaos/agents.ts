// The four agents of a run: the three of the kit and the scripted one.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../ports.ts'
import { type Agent, makeAgent } from './agent.ts'

export const names = ['planner', 'code-reviewer', 'deployer', 'conformance'] as const
export type Name = (typeof names)[number]

export interface Agents {
  all: Record<Name, Agent>
  /** What went wrong with the processes since this was last asked: ends that nobody wanted. */
  surprises(): string[]
  stop(): Promise<void>
}

/** Starts all four, with data and logs below `folder`; `wirePorts` are the ports that their cards name. */
export async function startAgents(folder: string, wirePorts: Record<Name, number>): Promise<Agents> {
  const surprises: string[] = []
  const cache = join(folder, 'compiled')
  mkdirSync(cache, { recursive: true })
  const made = await Promise.all(
    names.map(async (name) =>
      makeAgent({ name, port: await freePort(), folder, cache, wirePorts, surprises }),
    ),
  )
  const all = Object.fromEntries(made.map((agent) => [agent.name, agent])) as Record<Name, Agent>
  const killAll = () => {
    for (const { pid } of made) killNow(pid())
  }
  process.once('exit', killAll)
  for (const agent of made) agent.start()
  await Promise.all(made.map((agent) => agent.answers()))
  return {
    all,
    surprises: () => surprises.splice(0),
    async stop() {
      await Promise.all(made.map((agent) => agent.end('SIGTERM')))
      process.off('exit', killAll)
    },
  }
}

function killNow(pid: number): void {
  try {
    if (pid > 0) process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}
