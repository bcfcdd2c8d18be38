// Runs the planner as a process, with the addresses of its peers from the environment.
import { type ConnectOptions, lazyAgent } from '@a2a-kit/client'
import { serve } from '@a2a-kit/task-core'
import { type PeerAgent, planner } from './agent.ts'

const {
  CODE_REVIEWER_URL = 'http://localhost:41242',
  DEPLOYER_URL = 'http://localhost:41243',
  PEER_TOKEN,
} = process.env

/** How long a peer that does not answer is tried again, in ms. */
const patience: ConnectOptions = { retry: { attempts: 1000, totalMs: 120_000 } }

/** Who the planner is for its peers, where they want to know. */
const caller = PEER_TOKEN ? { token: PEER_TOKEN } : {}

function peer(name: string, url: string): PeerAgent {
  const agent = lazyAgent(url, { ...patience, ...caller, name })
  return Object.assign(agent, {
    async describe() {
      const { name, version } = await agent.card()
      return { name, version, url }
    },
  })
}

await serve(
  () =>
    planner({ reviewer: peer('code-reviewer', CODE_REVIEWER_URL), deployer: peer('deployer', DEPLOYER_URL) }),
  { port: 41241, grpcPort: 42241 },
)
