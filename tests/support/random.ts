// Chance that can be had again: a generator from a seed, which a failing test prints and SEED sets.

/** Numbers from 0 up to 1. The seed is `SEED` from the environment, or a new one. */
export function seeded(): { seed: number; random(): number; below(limit: number): number } {
  const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
  let state = seed
  // mulberry32
  const random = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return { seed, random, below: (limit) => Math.floor(random() * limit) }
}
