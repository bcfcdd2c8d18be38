// Many points: recorded from a run of each story in which nobody is killed, then one run for each, some at once.
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Point } from './points.ts'
import { isGood, type Outcome } from './report.ts'
import { recordPoints, runStory } from './run.ts'
import type { StoryName } from './story.ts'

export interface CrashOptions {
  stories: readonly StoryName[]
  /** The points to take of those that were recorded. */
  choose?: (all: Point[]) => Point[]
  /** Instead of recording. */
  points?: Point[]
  /** How many runs at once. */
  lanes: number
  onOutcome?: (outcome: Outcome, done: number, all: number) => void
}

/** How often a point is tried that the story passes by: which moments there are depends a little on who is faster. */
const tries = 3

/** Runs the points. What is left of runs with problems stays in the system's folder for temporary files, all else goes. */
export async function crashEverywhere({
  stories,
  choose = (all) => all,
  points,
  lanes,
  onOutcome = () => {},
}: CrashOptions): Promise<Outcome[]> {
  const root = await mkdtemp(join(tmpdir(), 'a2a-kit-crash-'))
  const cache = join(root, 'compiled')
  await mkdir(cache)
  const outcomes: Outcome[] = []
  const recorded: Point[] = []
  for (const story of points ? [] : stories) {
    recorded.push(...(await recordPoints(story, { folder: join(root, story), cache })))
  }
  const chosen = points ?? choose(recorded)
  let next = 0

  async function lane(): Promise<void> {
    for (let index = next++; index < chosen.length; index = next++) {
      const outcome = await runPoint(chosen[index]!, index + 1)
      outcomes.push(outcome)
      onOutcome(outcome, outcomes.length, chosen.length)
    }
  }

  async function runPoint(point: Point, number: number): Promise<Outcome> {
    for (let attempt = 1; ; attempt++) {
      const folder = join(root, `${number}-${attempt}`)
      const result = await runStory(point.story, { folder, point, cache })
      if (result.reached || result.problems.length > 0 || attempt === tries)
        return { ...result, point, folder }
    }
  }

  await Promise.all(Array.from({ length: lanes }, lane))
  if (outcomes.every(isGood)) await rm(root, { recursive: true, force: true })
  return outcomes
}
