// What the stories and the faults of a round have before them, and what a story tells afterwards.
import type { StreamResponse, Task, TaskState } from '@a2a-kit/task-core/protocol'
import type { Agent } from './agent.ts'
import type { Name } from './agents.ts'
import type { Callers } from './callers.ts'
import type { Chance } from './chance.ts'
import type { Webhook } from './webhook.ts'
import type { Wire } from './wire.ts'

export interface Scene {
  /** Unique among all rounds: message ids begin with it. */
  id: string
  agents: Record<Name, Agent>
  wires: Record<Name, Wire>
  callers: Callers
  webhook: Webhook
  chance: Chance
  /** Aborts when the round is given up. */
  signal: AbortSignal
  /** Resolves when no fault is at work any more. */
  healed: Promise<void>
  /** The stories that are under way. */
  told: Told[]
}

/** One event that a client saw, with its number. */
export interface Seen {
  n: number
  event: StreamResponse
}

/** What a client was told about one task. */
export interface Told {
  story: string
  agent: Name
  /** Empty until the agent has acknowledged it. */
  taskId: string
  /** The messages that were acknowledged. */
  messageIds: string[]
  /** The states that acknowledgements named. */
  states: TaskState[]
  /** What each stream brought, in order; all of them together begin with the first event and end with the last. */
  streams: Seen[][]
  /** True where the client's own `watch` was used, which leaves repeats out. */
  watched: boolean
  /** How it may end where no fault excuses another end. */
  ends: TaskState[]
  /** How often an approval, a refusal and a revocation of its deploy were answered with 200. */
  approve: number
  deny: number
  revoke: number
  /** The effects that the scripted agent was told to do. */
  effects: string[]
  /** Where its events were sent to. */
  push?: { path: string; token: string }
  /** The task as the agent gave it at the end. */
  task?: Task
}
