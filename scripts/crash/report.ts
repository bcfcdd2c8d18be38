// What a run of many points prints: a line for each, then the counts, and how to repeat what failed.
import { type AgentName, agentNames } from '../kit.ts'
import { kindOf, nameOf, type Point } from './points.ts'
import type { RunResult } from './run.ts'

export interface Outcome extends RunResult {
  point: Point
  /** Where data, logs and moments of a run with problems are. */
  folder: string
}

/** True if the agent was killed there, and all holds. */
export const isGood = ({ reached, problems }: RunResult): boolean => reached && problems.length === 0

const wordFor = (result: RunResult): string =>
  result.problems.length > 0 ? 'FAILED' : result.reached ? 'ok' : 'NOT REACHED'

/** How many problems of a run are told: the first ones explain the others. */
const mostProblems = 6

/** One line, and one more for each problem. */
export function progressOf(outcome: Outcome, done: number, all: number): string {
  const { point, problems, ms } = outcome
  const head = `${String(done).padStart(String(all).length)}/${all} ${point.story} ${point.agent} ${point.moment}`
  const lines = [`${head} … ${wordFor(outcome)} ${(ms / 1000).toFixed(1)} s`]
  for (const problem of problems.slice(0, mostProblems)) lines.push(`    ${problem.slice(0, 500)}`)
  if (problems.length > mostProblems) lines.push(`    and ${problems.length - mostProblems} more`)
  return lines.join('\n')
}

/** The counts by moment and agent, and the points that failed, each with the command that repeats it. */
export function summaryOf(outcomes: Outcome[]): string {
  const kinds = [...new Set(outcomes.map(({ point }) => kindOf(point)))].sort()
  const count = (kind: string, agent: AgentName) => {
    const these = outcomes.filter(({ point }) => kindOf(point) === kind && point.agent === agent)
    const good = these.filter(isGood).length
    return these.length === 0 ? '' : good === these.length ? String(good) : `${good} of ${these.length}`
  }
  const width = Math.max(...kinds.map(({ length }) => length))
  const row = (head: string, cells: string[]) =>
    [head.padEnd(width), ...cells.map((cell) => cell.padStart(14))].join(' ')
  const bad = outcomes.filter((outcome) => !isGood(outcome))
  return [
    row('killed at', [...agentNames]),
    ...kinds.map((kind) =>
      row(
        kind,
        agentNames.map((agent) => count(kind, agent)),
      ),
    ),
    '',
    `${outcomes.length - bad.length} of ${outcomes.length} points held: the agent was killed there and started again, and nothing was lost or done twice.`,
    ...bad.map(
      (outcome) =>
        `${wordFor(outcome)} at ${nameOf(outcome.point)}, see ${outcome.folder}. Again: ${repeat(outcome.point)}`,
    ),
  ].join('\n')
}

const repeat = (point: Point): string => `npm run crash -- --story ${point.story} --points ${nameOf(point)}`
