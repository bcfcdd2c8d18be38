// The planner, the reviewer and the deployer in this process, each of which can be started again where it was; and a change to ship.
import { lazyAgent } from '@a2a-kit/client'
import { type PeerAgent, planner } from '@a2a-kit/planner'
import type { Agent, AgentOptions } from '@a2a-kit/task-core'
import { type Probe, startProbe } from './probe.ts'
import { goodDiff, makeDeployer, makeReviewer } from './sdk-agents.ts'
import { begin } from './talk.ts'

export interface Chain {
  planner: Probe
  reviewer: Probe
  deployer: Probe
  /** Ships a change whose base branch is known. @returns the id of the planner's task */
  ship(headers?: Record<string, string>): Promise<string>
  /** Stops one and starts it on the same data and port. */
  restart(name: 'planner' | 'deployer'): Promise<void>
}

/** `more` are the options of each; `token` is what the planner shows to the others. */
export async function startChain(
  more: (name: string) => Partial<AgentOptions>,
  token?: string,
): Promise<Chain> {
  const start = (agent: Agent, again: Partial<AgentOptions> = {}) =>
    startProbe({ agent, ...more(agent.card.name), ...again })
  const agents = { reviewer: await makeReviewer(), deployer: await makeDeployer() }
  const [reviewer, deployer] = [await start(agents.reviewer), await start(agents.deployer)]
  const own = planner({ reviewer: peer(reviewer.url, token), deployer: peer(deployer.url, token) })
  const all = { planner: own, ...agents }
  const chain: Chain = {
    planner: await start(own),
    reviewer,
    deployer,
    async ship(headers) {
      const data = {
        repository: 'payments-api',
        diff: await goodDiff(),
        build: '2026.10.06-1',
        environment: 'staging',
        baseBranch: 'main',
      }
      const { call } = chain.planner
      const talks: Pick<Probe, 'call'> = {
        call: (binding, operation, params) => call(binding, operation, params, headers),
      }
      return begin(talks, '', { parts: [{ data }] })
    },
    async restart(name) {
      const { dataDir, port, close } = chain[name]
      await close()
      chain[name] = await start(all[name], { dataDir, port })
    },
  }
  return chain
}

function peer(url: string, token: string | undefined): PeerAgent {
  const agent = lazyAgent(url, token === undefined ? {} : { token })
  return Object.assign(agent, {
    async describe() {
      const { name, version } = await agent.card()
      return { name, version, url }
    },
  })
}
