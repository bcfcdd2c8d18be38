// What a run prints: a line for each round, and at the end the counts and how to repeat what failed.
import type { Round, RoundPlan } from './round.ts'

/** How many problems of a round are told: the first ones explain the others. */
const mostProblems = 8

export const faultsOf = ({ faults }: RoundPlan): string =>
  faults.map(({ plan }) => plan.words).join('; and ') || 'no fault'

/** One line, and one more for each problem. */
export function progressOf(
  round: Round,
  { all, again, folder }: { all: number; again: Again; folder: string },
): string {
  const { number, problems, ms, stories } = round
  const word = problems.length === 0 ? 'ok' : 'FAILED'
  const head = `${String(number).padStart(String(all).length)}/${all} ${word} ${(ms / 1000).toFixed(1)} s: ${faultsOf(round)}`
  if (problems.length === 0) return head
  const told = problems.slice(0, mostProblems).map((problem) => `    ${problem.slice(0, 600)}`)
  if (problems.length > mostProblems) told.push(`    and ${problems.length - mostProblems} more`)
  return [
    head,
    `    while: ${stories.join(', ')}`,
    ...told,
    `    Data and logs are in ${folder}. Again: ${again(number)}`,
  ].join('\n')
}

/** The command that plays the round with this number once more. */
export type Again = (number: number) => string

/** The counts by fault. */
export function summaryOf(rounds: Round[], seed: number, again: Again): string {
  const counts = new Map<string, [good: number, all: number]>()
  for (const { faults, problems } of rounds) {
    for (const name of faults.length > 0 ? faults.map((fault) => fault.name) : ['calm']) {
      const [good, all] = counts.get(name) ?? [0, 0]
      counts.set(name, [good + (problems.length === 0 ? 1 : 0), all + 1])
    }
  }
  const bad = rounds.filter(({ problems }) => problems.length > 0)
  const lines = [...counts].sort().map(([name, [good, all]]) => `  ${name.padEnd(16)} ${good} of ${all}`)
  const seconds = rounds.reduce((sum, { ms }) => sum + ms, 0) / 1000
  return [
    'Rounds that held, by fault:',
    ...lines,
    '',
    `${rounds.length - bad.length} of ${rounds.length} rounds held, with the seed ${seed}, in ${(seconds / 60).toFixed(1)} minutes.`,
    ...bad.map(({ number }) => `Round ${number} did not. Again: ${again(number)}`),
  ].join('\n')
}
