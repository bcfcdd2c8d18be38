// Time, ids and chance: the one object through which they come in, so that a run can be made again byte for byte.
import { randomFillSync } from 'node:crypto'
import { v7 } from 'uuid'

export type IdKind =
  | 'task'
  | 'context'
  | 'message'
  | 'artifact'
  | 'reference'
  | 'push-config'
  | 'trace'
  | 'span'

export interface World {
  /** Milliseconds since the epoch. */
  now(): number
  /** The time of a status that is being recorded, in milliseconds since the epoch. */
  statusTime(): number
  /** A new id; time-ordered by default, since the store's indexes grow at one end then. */
  id(kind: IdKind): string
  /** Chance: from 0 up to 1. */
  random(): number
  /** Called at named moments, before and after each commit, message and step; tests kill the process there. */
  moment(name: string): void
}

/** Chance for so many ids is asked for at once: a task takes ten of them, and asking is the dear part. */
const chance = Buffer.alloc(16 * 256)
let used = chance.length

function nextRandom(): Buffer {
  if (used === chance.length) {
    randomFillSync(chance)
    used = 0
  }
  used += 16
  return chance.subarray(used - 16, used)
}

/** The world as it is. */
export const realWorld: World = {
  now: () => Date.now(),
  statusTime: () => Date.now(),
  // The ids of a trace are in no index of the store, so that chance is enough.
  id: (kind) =>
    kind === 'trace' || kind === 'span' ? nextRandom().toString('hex') : v7({ rng: nextRandom }),
  random: Math.random,
  moment: () => {},
}
