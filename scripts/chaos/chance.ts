// Chance that can be had again: every decision of a round comes from the seed, the round's number and what is decided.
import { hash } from 'node:crypto'

export interface Chance {
  /** From 0 up to 1. */
  random(): number
  /** A whole number from `least` to `most`. */
  between(least: number, most: number): number
  pick<T>(all: readonly T[]): T
  /** True once in `times`, on average. */
  onceIn(times: number): boolean
  /** `count` of them, each at most once, in a new order. */
  some<T>(all: readonly T[], count: number): T[]
  /** Chance of its own, so that what is decided there changes nothing here. */
  fork(name: string | number): Chance
}

/** The same seed and the same calls give the same decisions. */
export function chanceOf(seed: number | string): Chance {
  let drawn = 0
  const random = () => Number.parseInt(hash('sha256', `${seed}/${drawn++}`).slice(0, 12), 16) / 2 ** 48
  const below = (limit: number) => Math.floor(random() * limit)
  const chance: Chance = {
    random,
    between: (least, most) => least + below(most - least + 1),
    pick: (all) => all[below(all.length)]!,
    onceIn: (times) => below(times) === 0,
    some(all, count) {
      const left = [...all]
      return Array.from(
        { length: Math.min(count, left.length) },
        () => left.splice(below(left.length), 1)[0]!,
      )
    },
    fork: (name) => chanceOf(`${seed}/${name}`),
  }
  return chance
}
