// One run: the story with three fresh agents, one of them killed at a point, and the look at what is left of it.
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Task } from '@a2a-kit/task-core/protocol'
import { type AgentName, agentNames } from '../kit.ts'
import { momentsFile, type RunningKit, type RunOptions, startKit } from './agents.ts'
import { checkAgents, checkDeploy, type Expect } from './check.ts'
import { checkLog } from './check-log.ts'
import type { Point } from './points.ts'
import { type StoryName, tellStory } from './story.ts'

export interface RunResult {
  /** False where the story ended without coming to the point. */
  reached: boolean
  /** What does not hold; empty if all is well. */
  problems: string[]
  ms: number
}

/** How long the story may take before it counts as stuck, in ms. */
const patience = 120_000

/** Tells `story` and looks. The folder goes if an agent was killed and there are no problems. */
export async function runStory(story: StoryName, options: RunOptions): Promise<RunResult> {
  const begun = performance.now()
  const problems: string[] = []
  const expect: Expect = (holds, problem) => void (holds || problems.push(problem))
  let reached = false
  try {
    const kit = await startKit(options)
    let served: Record<AgentName, Task[]>
    try {
      served = await withPatience(kit, async (signal) => {
        const told = await tellStory(story, kit.urls, signal)
        const tasks = await checkAgents(story, told, kit.urls, expect)
        await kit.answering() // one that was just started is not ready for a signal before that
        return tasks
      })
    } finally {
      problems.push(...(await kit.stop()))
      reached = kit.wasKilled()
    }
    await checkDeploy(kit.dataDir, expect)
    for (const name of agentNames) {
      const says: Expect = (holds, problem) => expect(holds, `${name}: ${problem}`)
      checkLog(join(kit.dataDir, `${name}.db`), served[name], says)
    }
  } catch (error) {
    problems.unshift((error as Error).message)
  }
  if (reached && problems.length === 0) await rm(options.folder, { recursive: true, force: true })
  return { reached, problems, ms: performance.now() - begun }
}

/** `work` is given up when it takes too long, or when an agent ends that nobody ended. */
async function withPatience<T>(
  { broken }: RunningKit,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = new AbortController()
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new Error(`it is stuck: no end within ${patience / 1000} s`)),
    patience,
  )
  try {
    return await Promise.race([work(over.signal), broken, late.promise])
  } finally {
    clearTimeout(timer)
    over.abort()
  }
}

/**
 * The points of the story, in the order in which each agent comes to them.
 * @throws Error if the story fails with nobody killed
 */
export async function recordPoints(
  story: StoryName,
  options: Pick<RunOptions, 'folder' | 'cache'>,
): Promise<Point[]> {
  const { folder } = options
  const { problems } = await runStory(story, options)
  if (problems.length > 0) {
    throw new Error(`The story ${story} fails with nobody killed: ${problems.join('; ')}. See ${folder}.`)
  }
  const points: Point[] = []
  for (const agent of agentNames) {
    const moments = (await readFile(momentsFile(folder, agent), 'utf8')).trim().split('\n')
    points.push(...moments.map((moment) => ({ story, agent, moment })))
  }
  return points
}
