// What each process holds when a round is over, against what it held when it had just started: files, timers, listeners, memory.
import { setTimeout as pause } from 'node:timers/promises'
import type { Agent } from '../agent.ts'
import type { Held } from '../orders.ts'

interface Known {
  /** What a process of this agent holds at its start, before it has done anything. */
  atStart: Held
  /** The process that was looked at last, by the number of its start, and what it held in memory then for the first time. */
  starts: number
  bytes: number | undefined
}

/** How much more a process may hold in memory than after its first round, in bytes: what V8 compiles and caches, and no more. */
const mostMore = 24 * 1024 * 1024
/** How long what is closing may take to be closed, in ms. */
const patience = 8000

export type Holdings = Awaited<ReturnType<typeof noteHoldings>>

/** Notes what agents hold that have just been started. What is closing is waited for as long as `ms`. */
export async function noteHoldings(agents: readonly Agent[], ms = patience) {
  const known = new Map<string, Known>()
  for (const agent of agents) {
    const atStart = await agent.order({ do: 'tell' })
    if (!atStart) throw new Error(`${agent.name} does not answer`)
    known.set(agent.name, { atStart, starts: 0, bytes: undefined })
  }

  /** @returns what is left that should not be, once the round is over */
  return async function check(agent: Agent): Promise<string[]> {
    const before = known.get(agent.name)!
    if (before.starts !== agent.starts()) Object.assign(before, { starts: agent.starts(), bytes: undefined })
    const deadline = Date.now() + ms
    for (;;) {
      const now = await agent.order({ do: 'tell' })
      if (!now) return [`${agent.name} does not answer`]
      const problems = compare(agent, before, now)
      if (problems.length === 0 || Date.now() >= deadline) {
        before.bytes ??= now.bytes
        return problems
      }
      await pause(50)
    }
  }
}

function compare({ name }: Agent, { atStart, bytes = Number.POSITIVE_INFINITY }: Known, now: Held): string[] {
  const problems: string[] = []
  const expect = (holds: boolean, problem: string) => void (holds || problems.push(`${name}: ${problem}`))
  expect(
    now.files <= atStart.files,
    `${now.files} files and sockets are open, and ${atStart.files} at its start`,
  )
  expect(
    now.listeners <= atStart.listeners,
    `${now.listeners} listeners, and ${atStart.listeners} at its start`,
  )
  for (const [kind, count] of Object.entries(now.resources)) {
    // The one timer of the wait that ends next stays when that wait is answered.
    const allowed = (atStart.resources[kind] ?? 0) + (kind === 'Timeout' ? 1 : 0)
    expect(count <= allowed, `${count} of ${kind} are left, and ${allowed} may be there`)
  }
  expect(now.bytes <= bytes + mostMore, `it holds ${now.bytes} bytes, and ${bytes} after its first round`)
  expect(now.warnings.length === 0, `Node.js warned: ${now.warnings.join('; ')}`)
  return problems
}
