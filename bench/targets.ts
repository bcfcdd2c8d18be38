// What a part is to reach, and whether it did.
import { type Spread, spread } from './rounds.ts'

export interface Target {
  what: string
  /** For a ratio of the kit's figure to that of another server: who that is. */
  against?: string
  bound: 'at least' | 'at most'
  asked: number
  /** What would be better still; says nothing about whether the target is reached. */
  aim?: number
  reached: Spread
  /** What both are counted in: `times`, `s`, `MiB`, `listeners`. */
  unit: string
  ok: boolean
}

type Wanted = Omit<Target, 'bound' | 'ok' | 'reached'> & {
  /** The median counts; a figure that was taken once is its own median. */
  reached: Spread | number
}

export const atLeast = (wanted: Wanted): Target => target('at least', wanted)
export const atMost = (wanted: Wanted): Target => target('at most', wanted)

function target(bound: Target['bound'], wanted: Wanted): Target {
  const { reached: one, asked } = wanted
  const reached = typeof one === 'number' ? spread([one]) : one
  const ok = bound === 'at least' ? reached.median >= asked : reached.median <= asked
  return { ...wanted, bound, reached, ok }
}

/** The target in words. */
export const nameOf = ({ what, against }: Target): string => (against ? `${what}: kit / ${against}` : what)
