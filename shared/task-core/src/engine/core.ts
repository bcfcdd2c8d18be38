// What every part of the engine works with.
import type { Logger } from 'pino'
import type { Agent } from '../define-agent.ts'
import type { Feed } from '../feed/feed.ts'
import type { Settings } from '../settings.ts'
import type { Store } from '../store/index.ts'
import type { Telemetry } from '../telemetry/index.ts'
import type { World } from '../world.ts'
import type { Pushes } from './pushes.ts'
import type { Writer } from './writer.ts'

export interface Core {
  agent: Agent
  store: Store
  feed: Feed
  pushes: Pushes
  writer: Writer
  world: World
  log: Logger
  telemetry: Telemetry
  settings: Settings
  /** Where an operator approves what the task asks for. */
  approveUrl: (taskId: string) => string
  /** Where an operator denies it. */
  denyUrl: (taskId: string) => string
}

/** A promise that stays pending: what a parked or dropped call returns, so that no `catch` or `finally` sees it. */
export const never = <T>(): Promise<T> => new Promise(() => {})
