// The capture clock and the ids of one agent in one capture: the same each time.
import { createHash } from 'node:crypto'
import type { World } from '@a2a-kit/task-core'
import { v4 } from 'uuid'

/** Where the clock of each agent stands when a capture begins. */
export const clockStart = Date.parse('2026-10-06T09:00:00.000Z')

/** How far it moves, in ms, at each status that is recorded; nothing else moves it. */
export const clockStep = 250

/** The first ids of each kind, where they are fixed. */
export type FixedIds = Partial<Record<Parameters<World['id']>[0], string[]>>

/** `seed` names the capture and the agent: all further ids come from it. */
export function captureWorld(seed: string, fixed: FixedIds = {}): World {
  let clock = clockStart
  const given = new Map<string, number>()
  return {
    now: () => clock,
    statusTime: () => {
      clock += clockStep
      return clock
    },
    id(kind) {
      const nth = given.get(kind) ?? 0
      given.set(kind, nth + 1)
      return fixed[kind]?.[nth] ?? idFrom(`${seed}/${kind}/${nth}`)
    },
    random: () => 0.5,
    moment: () => {},
  }
}

/** A UUID that looks like a random one, always the same for `seed`. */
export const idFrom = (seed: string): string => v4({ random: createHash('sha256').update(seed).digest() })
