// Puts the planner together: with its peers at the addresses that the environment gives.
import { type ConnectOptions, lazyAgent } from '@a2a-kit/client'
import type { Agent } from '@a2a-kit/task-core'
import { type PeerAgent, planner } from './agent.ts'
import { peerToken } from './token.ts'

/** How long a peer that does not answer is tried again, in ms. */
const patience: ConnectOptions = { retry: { attempts: 1000, totalMs: 120_000 } }

/**
 * `env` may set `CODE_REVIEWER_URL` and `DEPLOYER_URL`, and in `PEER_TOKEN` or `PEER_TOKEN_FILE` who the planner is for its peers, where
 * they want to know; `how` says how they are reached.
 * @throws Error as `peerToken` does
 */
export function makePlanner(
  env: NodeJS.ProcessEnv = process.env,
  how: Pick<ConnectOptions, 'dispatcher'> = {},
): Agent {
  const { CODE_REVIEWER_URL = 'http://localhost:41242', DEPLOYER_URL = 'http://localhost:41243' } = env
  const token = peerToken(env)
  const caller = token === undefined ? {} : { token }

  function peer(name: string, url: string): PeerAgent {
    const agent = lazyAgent(url, { ...patience, ...caller, ...how, name })
    return Object.assign(agent, {
      async describe() {
        const { name, version } = await agent.card()
        return { name, version, url }
      },
    })
  }

  return planner({
    reviewer: peer('code-reviewer', CODE_REVIEWER_URL),
    deployer: peer('deployer', DEPLOYER_URL),
  })
}
