// The planner: its card, and the task of shipping one change with the help of two other agents.
import {
  type Agent,
  type AgentDescription,
  defineAgent,
  RateLimited,
  type RemoteAgent,
  TaskError,
} from '@a2a-kit/task-core'
import { parseChange } from './change.ts'
import { newPlan, type Outcome, type Peer, type PlannedStep, reviewIn, stepOf } from './plan.ts'

const card: AgentDescription = {
  name: 'planner',
  description:
    'Ships a change: has its diff reviewed and its build deployed by other agents, and passes on what they ask.',
  version: '0.1.0',
  provider: { organization: 'a2a-kit', url: 'https://example.com/a2a-kit' },
  defaultInputModes: ['application/json', 'text/plain', 'text/x-diff', 'text/x-patch'],
  defaultOutputModes: ['application/json', 'text/plain'],
  skills: [
    {
      id: 'ship-change',
      name: 'Ship a change',
      description:
        'Takes data with repository, diff, build, environment and, if it is known, baseBranch. Waits where a reviewer asks or a deploy needs an approval. Its artifact plan.json says what was done, what was asked, and who answered.',
      tags: ['release', 'orchestration'],
      examples: [
        '{"repository": "payments-api", "diff": "diff --git …", "build": "2026.10.06-1", "environment": "staging", "baseBranch": "main"}',
      ],
    },
  ],
}

/** An agent to work with: how to call it, and how to learn who it is. */
export interface PeerAgent extends RemoteAgent {
  describe(): Promise<Peer>
}

export interface Peers {
  reviewer: PeerAgent
  deployer: PeerAgent
}

/** The agent, with the two that it works with. */
export const planner = ({ reviewer, deployer }: Peers): Agent =>
  defineAgent({
    card,

    async run(task) {
      const change = parseChange(task.message)
      const { repository, diff, build, environment, baseBranch } = change
      const plan = newPlan(change)
      await task.working(
        `Shipping build ${build} of ${repository} to ${environment}: finding the agents for it.`,
      )
      plan.agents.push(await task.step('find the reviewer', () => reviewer.describe()))
      plan.agents.push(await task.step('find the deployer', () => deployer.describe()))

      const reviewed = await task.follow('review', {
        agent: reviewer,
        message: [{ text: `Please review this diff of ${repository}.` }, { data: { repository, diff } }],
        answer: (_question, nth) => (nth === 1 ? baseBranch : undefined),
      })
      const review = stepOf('review', reviewed)
      plan.steps.push(review)
      if (review.state !== 'TASK_STATE_COMPLETED') return await end(review, 'failed')
      const { verdict, summary } = reviewIn(review)
      if (verdict !== 'approve') {
        await write('changes requested')
        return await task.reject(`Nothing was deployed: ${review.agent} asks for changes. ${summary}`)
      }

      await task.working(`${review.agent} says: ${summary} Deploying build ${build} to ${environment}.`)
      const deployed = await task.follow('deploy', {
        agent: deployer,
        message: [
          { text: `Deploy build ${build} to ${environment}` },
          { data: { repository, build, environment } },
        ],
      })
      const deploy = stepOf('deploy', deployed)
      plan.steps.push(deploy)
      if (deploy.state === 'TASK_STATE_REJECTED') return await end(deploy, 'refused')
      if (deploy.state !== 'TASK_STATE_COMPLETED') return await end(deploy, 'failed')
      await write('shipped')
      return `Shipped. ${deploy.said}`

      function write(outcome: Outcome): Promise<void> {
        return task.artifact({ name: 'plan.json', data: { ...plan, outcome } })
      }

      /** A step that did not complete ends the plan: as refused, or as failed. */
      async function end(step: PlannedStep, outcome: 'refused' | 'failed'): Promise<never> {
        await write(outcome)
        if (step.retryAt !== undefined) throw new RateLimited(new Date(step.retryAt), ended(step))
        if (outcome === 'failed') throw new TaskError(ended(step))
        return await task.reject(ended(step))
      }
    },
  })

const ended = ({
  agent,
  taskId,
  state,
  said,
}: {
  agent: string
  taskId: string
  state: string
  said: string
}): string => `${agent}'s task ${taskId} ended in ${state}${said ? `: "${said}"` : '.'}`
