// The agents that are fuzzed, in a process of their own, so that a crash is seen and their memory is theirs alone.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { join } from 'node:path'

export interface Seat {
  name: string
  agent: 'conformance' | 'code-reviewer' | 'deployer'
  env: Record<string, string>
  /** Taken by the agent, where it wants one. */
  token?: string
  /** An operator's, where it wants one. */
  operator?: string
  /** The name of its database below its folder. */
  database: string
}

const token = 'first-caller-0123456789'
const operator = 'some-operator-0123456789'

/** Who sends so much would otherwise soon be answered nothing but that. */
const noRates = {
  MAX_REQUESTS_PER_SECOND: '0',
  MAX_MESSAGES_PER_MINUTE: '0',
  MAX_AUTH_FAILURES_PER_MINUTE: '0',
}

/** One that lets everybody in, one that wants to know who calls, and two that do real work. */
export const seats: readonly Seat[] = [
  { name: 'conformance', agent: 'conformance', env: noRates, database: 'conformance.db' },
  {
    name: 'conformance-with-tokens',
    agent: 'conformance',
    env: {
      ...noRates,
      CALLER_TOKENS: `first:${token},second:second-caller-0123456789`,
      OPERATOR_TOKENS: `some:${operator}`,
    },
    token,
    operator,
    database: 'conformance.db',
  },
  { name: 'deployer', agent: 'deployer', env: noRates, database: 'deployer.db' },
  { name: 'code-reviewer', agent: 'code-reviewer', env: {}, database: 'code-reviewer.db' },
]

export interface Vitals {
  /** Bytes in use after a collection. */
  heap: number
  external: number
  /** How long the event loop did nothing else, in ms, since this was last asked. */
  longestStall: number
  /** Sockets, timers and the like. */
  handles: number
}

export interface Started {
  ports: number[]
}

export type Order =
  | { do: 'start'; folder: string; seed: number; seats: readonly Seat[] }
  | { do: 'stop' }
  | { do: 'vitals' }

export type Agents = Awaited<ReturnType<typeof forkAgents>>

/** Forks the process; what it says on its error output goes to a file in `folder`. */
export function forkAgents(folder: string) {
  const errors = join(folder, 'agents.stderr')
  const output = openSync(errors, 'a')
  const child = fork(join(import.meta.dirname, 'target.ts'), {
    execArgv: ['--expose-gc', '--import', 'tsx'],
    stdio: ['ignore', output, output, 'ipc'],
  })
  let end: string | undefined
  const ended = once(child, 'exit').then(([code, signal]) => {
    end = String(signal ?? code)
  })

  const gone = () => new Error(`The agents' process has ended with ${end}: ${errors} says why.`)

  async function order<T>(what: Order): Promise<T> {
    if (end !== undefined) throw gone()
    child.send(what)
    const answer = await Promise.race([once(child, 'message'), ended])
    if (!answer) throw gone()
    return answer[0] as T
  }

  return {
    start: (of: { folder: string; seed: number }) => order<Started>({ do: 'start', ...of, seats }),
    stop: () => order<object>({ do: 'stop' }),
    vitals: () => order<Vitals>({ do: 'vitals' }),
    /** How the process has ended, once it has. */
    end: () => end,
    async kill(): Promise<void> {
      child.kill('SIGKILL')
      await ended
    },
  }
}
