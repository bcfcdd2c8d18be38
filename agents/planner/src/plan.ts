// The plan: what was done for a change, by whom, and who answered what on the way. It becomes `plan.json`.
import { dataOf, type FollowedTask, retryAtOf, TaskError, textOf } from '@a2a-kit/task-core'
import type { Change } from './change.ts'

/** Who a peer says that it is, in its card. */
export interface Peer {
  name: string
  version: string
  url: string
}

export interface PlannedStep {
  step: string
  agent: string
  taskId: string
  contextId: string
  state: string
  startedAt: string
  endedAt: string
  /** The status message that ended the task. */
  said: string
  /** When the same can be asked for again, if the task failed at a rate limit. ISO 8601. */
  retryAt?: string
  asked: FollowedTask['asked']
  /** The data of the task's artifacts, by name. */
  artifacts: Record<string, unknown>
}

/** `refused`: the deploy was rejected; `failed`: an agent's task ended in any other way than completed. */
export type Outcome = 'underway' | 'shipped' | 'changes requested' | 'refused' | 'failed'

export type Plan = ReturnType<typeof newPlan>

export function newPlan({ diff: _diff, ...change }: Change) {
  return {
    change,
    agents: [] as Peer[],
    steps: [] as PlannedStep[],
    outcome: 'underway' as Outcome,
  }
}

/** What came of a followed task, for the plan. */
export function stepOf(
  step: string,
  { agent, task, artifacts, asked, startedAt, endedAt }: FollowedTask,
): PlannedStep {
  const retryAt = retryAtOf(task.status.message)
  return {
    step,
    agent,
    taskId: task.id,
    contextId: task.contextId,
    state: task.status.state,
    startedAt,
    endedAt,
    said: textOf(task.status.message),
    ...(retryAt && { retryAt: retryAt.toISOString() }),
    asked,
    artifacts: Object.fromEntries(
      artifacts.map((artifact) => [artifact.name ?? artifact.artifactId, dataOf(artifact)]),
    ),
  }
}

export interface Review {
  verdict: string
  summary: string
  findings: { severity: string; file: string; line: number; message: string }[]
}

/**
 * The review that a completed task left.
 * @throws TaskError if there is none: another agent's artifacts are read with care
 */
export function reviewIn({ artifacts, agent, taskId }: PlannedStep): Review {
  const review = artifacts['review.json'] as Partial<Review> | undefined
  if (typeof review?.verdict !== 'string' || !Array.isArray(review.findings)) {
    throw new TaskError(
      `${agent}'s task ${taskId} completed without a review.json that has a verdict and findings.`,
    )
  }
  return {
    verdict: review.verdict,
    findings: review.findings,
    summary: typeof review.summary === 'string' ? review.summary : review.verdict,
  }
}
