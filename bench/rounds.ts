// Measures several peers in turn, round after round, so that what else the machine does falls on all of them.

/** The middle of what the rounds gave, with the lowest and the highest. */
export interface Spread {
  median: number
  low: number
  high: number
  /** All, in the order of the rounds. */
  rounds: number[]
}

/**
 * Runs every measurement once in each round, after `warmUps` rounds that are not counted: a server's first seconds under load are far from
 * its steady speed. Returns the results by name.
 */
export async function inRounds<Name extends string, Result>(
  rounds: number,
  measurements: Record<Name, () => Promise<Result>>,
  say: (line: string) => void,
  warmUps = 1,
): Promise<Record<Name, Result[]>> {
  const names = Object.keys(measurements) as Name[]
  const results = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Result[]>
  for (let round = 1 - warmUps; round <= rounds; round += 1) {
    say(round > 0 ? `  round ${round} of ${rounds}` : `  warming up, ${round + warmUps} of ${warmUps}`)
    for (const name of names) {
      const result = await measurements[name]()
      if (round > 0) results[name].push(result)
    }
  }
  return results
}

/** @throws Error without values */
export function spread(values: number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b)
  const [low, high] = [sorted[0], sorted.at(-1)]
  if (low === undefined || high === undefined) throw new Error('There is nothing to take the middle of.')
  const middle = sorted.length / 2
  const median = (sorted[Math.ceil(middle) - 1]! + sorted[Math.floor(middle)]!) / 2
  return { median, low, high, rounds: values }
}

/** The spread of `above[n] / below[n]`: each round with itself. */
export const ratios = (above: number[], below: number[]): Spread =>
  spread(above.map((value, round) => value / below[round]!))

/** The value that `share` of the values, from 0 to 1, do not exceed. @throws Error without values */
export function percentile(values: number[], share: number): number {
  const found = values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)]
  if (found === undefined) throw new Error('There is nothing to take a percentile of.')
  return found
}
