// What a fault is: decided by chance before it begins, so that it can be told and had again.
import { setTimeout as pause } from 'node:timers/promises'
import type { Chance } from '../chance.ts'
import type { Scene, Told } from '../scene.ts'

export interface Plan {
  /** What will be done, for the line of the round. */
  words: string
  /** Does it, and resolves when nothing of it is left. @returns what did not go as it should */
  run(scene: Scene): Promise<string[] | void>
  /** Whether the task of a story may fail of it. */
  excuses?(told: Told): boolean
  /** True if it comes once the round's work is done and was looked at. */
  late?: boolean
}

export type Fault = (chance: Chance) => Plan

export const after = (ms: number, { signal }: Pick<Scene, 'signal'>) => pause(ms, undefined, { signal })

/** When a fault begins, in ms after the stories: early or late in them. */
export const moment = (chance: Chance): number => chance.between(0, chance.onceIn(2) ? 250 : 900)
