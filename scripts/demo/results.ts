// What the demo shows at its end: the review's findings, what is deployed, and where to look further.
import { dataOf, type Task } from '@a2a-kit/task-core/protocol'
import type { Screen } from './screen.ts'

interface Plan {
  outcome: string
  steps: { step: string; agent: string; taskId: string; state: string; artifacts: Record<string, unknown> }[]
}

interface Review {
  summary: string
  findings: { severity: string; file: string; line: number; message: string }[]
}

export function showResults(screen: Screen, task: Task): void {
  const plan = dataOf(task.artifacts?.find(({ name }) => name === 'plan.json')) as unknown as Plan | undefined
  const artifact = <T>(name: string) =>
    plan?.steps.map(({ artifacts }) => artifacts[name] as T | undefined).find((data) => data !== undefined)

  const review = artifact<Review>('review.json')
  if (review) {
    screen.heading('The review')
    screen.say(`  ${review.summary}`)
    for (const { severity, file, line, message } of review.findings) {
      screen.say(`  ${severity.padEnd(9)} ${file}:${line}  ${message}`)
    }
  }
  screen.heading('The deployment')
  const deployment = artifact<Record<string, string | null>>('deployment.json')
  if (!deployment) screen.say('  Nothing was deployed.')
  for (const [name, value] of Object.entries(deployment ?? {}))
    screen.say(`  ${name.padEnd(14)} ${value ?? 'none'}`)

  screen.heading('The tasks')
  screen.say(`  ${'planner'.padEnd(14)} ${task.id}  ${task.status.state}`)
  for (const { agent, taskId, state } of plan?.steps ?? [])
    screen.say(`  ${agent.padEnd(14)} ${taskId}  ${state}`)
}
