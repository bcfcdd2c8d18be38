// All that one play needs around it: the agents, a webhook where there is one, and what things are called here.
import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { type AgentName, baseOf } from '../../capture/kit.ts'
import type { Capture } from '../../capture/model.ts'
import { type AgentOptions, agentsFor, type Home, type TutorialAgents } from './agents.ts'
import { seatsFor } from './library.ts'
import type { Play } from './play.ts'
import { openReceiver, type Receiver, type ReceiverState } from './receiver.ts'
import { renewIds } from './requests.ts'
import { createTwins, type SavedTwins } from './twins.ts'
import { createWire, type LiveAnswer } from './wire.ts'

/** What is kept of a play that was left. */
export interface Kept {
  twins: SavedTwins
  secrets: Record<string, string>
  home?: Home | undefined
  answers: [exchange: number, answer: LiveAnswer][]
  webhook?: ReceiverState | undefined
}

export interface Sitting
  extends Pick<Play, 'capture' | 'agents' | 'addresses' | 'twins' | 'wire' | 'receiver' | 'arrived'> {
  /** Where the agents are, in a line for the reader. */
  where: string
  restart: TutorialAgents['restart']
  /** What the next sitting needs, besides the twins. */
  keep(): Omit<Kept, 'twins'>
  /** Whether what was kept still holds; otherwise the play begins anew. */
  resumed: boolean
  /** `keep` leaves the agents' data for the next sitting. */
  close(keep: boolean): Promise<void>
}

export interface SittingOptions extends Omit<AgentOptions, 'home'> {
  kept?: Kept | undefined
}

/** @throws Error if an agent does not start, or the webhook's port was taken meanwhile */
export async function sitDown(capture: Capture, { kept, ...options }: SittingOptions): Promise<Sitting> {
  const fresh = () => capture.secrets.map((name) => [name, randomBytes(24).toString('base64url')])
  const secrets: Record<string, string> = kept?.secrets ?? Object.fromEntries(fresh())
  const seats = await seatsFor(capture.name, (name) => secrets[name]!)
  const agents = await agentsFor(seats, { ...options, home: kept?.home })
  const resumed = kept !== undefined && holds(kept, agents)
  const receiver = await webhook().catch(async (error) => {
    await agents.stop(true)
    throw error
  })
  const wire = createWire()
  const arrived = new Map(resumed ? kept.answers : [])
  const twins = createTwins(resumed ? kept.twins : undefined)
  const addresses: Record<string, string> = {}
  for (const [variable, documented] of Object.entries(capture.variables)) {
    const agent = [...agents.urls.keys()].find((name) => baseOf(name) === documented)
    const url = agent ? agents.urls.get(agent)! : (receiver?.url ?? documented)
    addresses[variable] = url
    twins.pair(new URL(documented).host, new URL(url).host)
  }
  if (!resumed) {
    for (const [name, secret] of Object.entries(secrets)) twins.pair(`{{${name}}}`, secret)
    renewIds(capture, twins, randomBytes(3).toString('hex'))
  }

  async function webhook(): Promise<Receiver | undefined> {
    const deliveries = capture.exchanges.filter(({ to }) => to === 'webhook')
    if (!capture.variables.webhook) return undefined
    return openReceiver(deliveries, resumed ? kept.webhook : undefined)
  }

  return {
    capture,
    agents: new Set(Object.keys(seats)),
    addresses,
    twins,
    wire,
    receiver,
    arrived,
    where: whereOf(agents),
    restart: agents.restart,
    resumed,
    keep: () => ({ secrets, home: agents.home, answers: [...arrived], webhook: receiver?.state() }),
    async close(keep) {
      await wire.close()
      await receiver?.close()
      await agents.stop(keep)
    },
  }
}

/** Removes the data of agents that were started for a play which does not go on. */
export const discard = async ({ home }: Kept): Promise<void> => {
  if (home) await rm(home.dataDir, { recursive: true, force: true })
}

/** Agents that ran already must be there still; those that were started must be back with their data. */
function holds({ twins, home }: Kept, agents: TutorialAgents): boolean {
  if (home || agents.home) return home !== undefined && home.dataDir === agents.home?.dataDir
  const known = createTwins(twins)
  return [...agents.urls].every(([name, url]) => known.live(new URL(baseOf(name)).host) === new URL(url).host)
}

function whereOf({ urls, home }: TutorialAgents): string {
  const list = [...urls].map(([name, url]: [AgentName, string]) => `${name} at ${url}`).join(', ')
  return home
    ? `Played against agents that were started for it and are stopped at its end: ${list}.`
    : `Played against the agents that run already (--own starts others): ${list}.`
}
