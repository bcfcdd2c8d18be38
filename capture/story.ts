// How a capture is told: a scenario is a setting and a script in which one thing happens at a time.
import type { Json } from '@a2a-kit/task-core'
import type { Actor, Heard } from './actor.ts'
import type { AgentName, Seats } from './kit.ts'
import type { Webhook, WebhookOptions } from './webhook.ts'

export interface Scenario {
  title: string
  /** The first paragraph of the file and of the tutorial. */
  about: string
  /** Where a secret is part of how an agent is set up, a function of `secret`, which is that of the stage. */
  agents: Seats | ((secret: Stage['secret']) => Seats)
  play(stage: Stage): Promise<void>
}

export interface Stage {
  /** Somebody who sends requests: `client`, `planner`, `operator`. */
  actor(name: string): Actor
  /** What the reader is told of the requests that agents make themselves, in their order. */
  overheard(notes: Heard[]): void
  /** Resolves once the task is in `state`, which is looked at without being recorded. */
  until(agent: AgentName, taskId: string, state: string): Promise<void>
  /** Resolves once every exchange has ended: agents have nothing more to say to each other. */
  quiet(): Promise<void>
  /** A receiver of push notifications, whose deliveries are recorded. */
  webhook(options?: WebhookOptions): Promise<Webhook>
  /** Stops the agent and starts it again on the same data. */
  restart(agent: AgentName): Promise<void>
  /** A secret of the scenario, made anew each time; the file says `{{name}}`. */
  secret(name: string): string
}

export const scenario = (given: Scenario): Scenario => given

/** The message of a client: `{ text }`, `{ data }` and so on become its parts. */
export function message(
  messageId: string,
  part: Json | Json[],
  place: { taskId?: string; contextId?: string } = {},
): Json {
  return { messageId, ...place, role: 'ROLE_USER', parts: [part].flat() }
}

/** How the agents of a scenario are set up, given its secrets. */
export const seatsOf = ({ agents }: Scenario, secret: Stage['secret']): Seats =>
  typeof agents === 'function' ? agents(secret) : agents
