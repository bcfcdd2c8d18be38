// Many rounds, one after the other, on agents that live from round to round; after a round that failed on fresh ones.
import { missingFaults } from './faults/index.ts'
import { planRound, playRound, type Round } from './round.ts'
import { openWorld, type World } from './world.ts'

export interface RunOptions {
  seed: number
  /** The number of the first round. */
  from: number
  rounds: number
  /** The names of the faults that there may be. */
  faults: readonly string[]
  onStart?: (missing: Record<string, string>) => void
  onRound?: (round: Round, world: World) => void
}

/**
 * Plays the rounds. A round that failed leaves its folder.
 * @throws Error where there is no /proc, in which open files are counted
 */
export async function runChaos(options: RunOptions): Promise<Round[]> {
  const { seed, from, rounds, faults, onStart = () => {}, onRound = () => {} } = options
  if (process.platform !== 'linux')
    throw new Error('npm run chaos needs Linux: it counts open files in /proc.')
  const played: Round[] = []
  let world = await openWorld()
  const missing = missingFaults(world.hasSmallDisk)
  const possible = faults.filter((name) => !(name in missing))
  onStart(missing)
  for (let number = from; number < from + rounds; number += 1) {
    const round = await playRound(world, seed, planRound(seed, number, possible))
    played.push(round)
    onRound(round, world)
    if (round.problems.length === 0) continue
    await world.close(true)
    if (number === from + rounds - 1) return played
    world = await openWorld()
  }
  await world.close(false)
  return played
}
