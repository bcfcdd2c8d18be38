// What every operation works with, and what each call brings along.
import type { Core } from '../engine/core.ts'
import type { Engine } from '../engine/engine.ts'
import type { AgentCard } from '../protocol/index.ts'
import type { Version } from './admit.ts'
import type { Left } from './left.ts'

/** Who calls. A task belongs to the caller who made it; for anybody else it does not exist (§13.1). */
export interface Caller {
  id: string
  /** False for the one caller of an agent that tells none apart. */
  authenticated: boolean
  /** Where the call comes from, of a caller who is not told apart from others: what limits are counted by then. */
  network?: string
  /** When the caller's token expires, in ms since the epoch; never by default. */
  expiresAt?: number
}

export interface Call {
  caller: Caller
  /** Says when the client has left or the server stops. */
  left: Left
  /** Set where the client activated the replay extension and sent the id. */
  lastEventId?: string | undefined
  /** The version of the protocol that the client speaks; 1.0 where it is left out. */
  version?: Version
}

export interface OperationContext {
  core: Core
  engine: Engine
  card: AgentCard
  /** For authenticated callers (§13.3); undefined if there is none. */
  extendedCard?: AgentCard | undefined
}
