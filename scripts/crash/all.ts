// Many points: recorded from a run of each story in which nobody is killed; then one run for each, some at once.
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Point } from './points.ts'
import { isGood, type Outcome } from './report.ts'
import { recordPoints, runStory } from './run.ts'
import type { StoryName } from './story.ts'

/** A temporary folder for many runs, and one in it for compiled code. */
export interface Workspace {
  root: string
  cache: string
}

/** Gives `work` a workspace, which stays only if `work` throws or a run had problems. */
export async function inWorkspace(work: (workspace: Workspace) => Promise<Outcome[]>): Promise<Outcome[]> {
  const root = await mkdtemp(join(tmpdir(), 'a2a-kit-crash-'))
  const cache = join(root, 'compiled')
  await mkdir(cache)
  const outcomes = await work({ root, cache })
  if (outcomes.every(isGood)) await rm(root, { recursive: true, force: true })
  return outcomes
}

/** All points of the stories. @throws Error if a story fails with nobody killed */
export async function recordAll({ root, cache }: Workspace, stories: readonly StoryName[]): Promise<Point[]> {
  const points: Point[] = []
  for (const story of stories)
    points.push(...(await recordPoints(story, { folder: join(root, story), cache })))
  return points
}

export interface KillOptions {
  /** How many runs at once. */
  atOnce: number
  onOutcome?: (outcome: Outcome, done: number) => void
}

/** One run for each point; their outcomes in the order in which they ended. */
export async function killAtEach(
  workspace: Workspace,
  points: Point[],
  { atOnce, onOutcome = () => {} }: KillOptions,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  let next = 0
  const lane = async () => {
    for (let index = next++; index < points.length; index = next++) {
      const outcome = await killAt(workspace, points[index]!, index + 1)
      outcomes.push(outcome)
      onOutcome(outcome, outcomes.length)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return outcomes
}

/** How often a point is tried that the story passes by: which moments there are depends a little on who is faster. */
const tries = 3

async function killAt({ root, cache }: Workspace, point: Point, number: number): Promise<Outcome> {
  for (let attempt = 1; ; attempt++) {
    const folder = join(root, `${number}-${attempt}`)
    const result = await runStory(point.story, { folder, point, cache })
    if (result.reached || result.problems.length > 0 || attempt === tries) {
      return { ...result, point, folder }
    }
  }
}
