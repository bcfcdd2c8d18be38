// Clocks that jump: by hours, past the end of every wait, or by the small steps of a clock that is put right.
import { type Name, names } from '../agents.ts'
import { after, type Fault, moment } from './fault.ts'

const hour = 3600_000

const jumps = (title: string, decide: (chance: Parameters<Fault>[0]) => number[], excuses = false): Fault => {
  return (chance) => {
    const victims = chance.some<Name>(names, chance.pick([1, 2, 4]))
    const offsets = decide(chance)
    const at = moment(chance)
    const shown = offsets.map((ms) => (Math.abs(ms) < hour ? `${ms} ms` : `${(ms / hour).toFixed(1)} h`))
    return {
      words: `${title} of ${victims.join(', ')} by ${shown.join(', ')} at ${at} ms`,
      ...(excuses && { excuses: () => true }),
      async run(scene) {
        await after(at, scene)
        for (const offset of offsets) {
          await Promise.all(victims.map((name) => scene.agents[name].order({ do: 'clock', offset })))
          await after(200, scene)
        }
        await Promise.all(victims.map((name) => scene.agents[name].order({ do: 'heal' })))
      },
    }
  }
}

export const clockJump = jumps('the clock jumps', (chance) => [
  chance.pick([-1, 1]) * chance.between(hour, 20 * hour),
  chance.pick([-1, 1]) * chance.between(hour, 20 * hour),
])

/** Longer than a request for approval or a question waits: those that wait end. */
export const clockFar = jumps(
  'the clock jumps far',
  (chance) => [chance.between(200 * hour, 400 * hour)],
  true,
)

export const clockSteps = jumps('the clock is put right', (chance) =>
  Array.from({ length: 5 }, () => chance.between(-800, 800)),
)
