import { setTimeout as pause } from 'node:timers/promises'
import { type ConnectOptions, lazyAgent } from '@a2a-kit/client'
import { type PeerAgent, planner } from '@a2a-kit/planner'
import { type Artifact, isTerminal, type Task } from '@a2a-kit/task-core/protocol'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { startProbe } from './support/probe.ts'
import { type SdkBinding, sdkBindings } from './support/sdk-client.ts'
import { type Script, startSdkServer } from './support/sdk-server.ts'
import { answer, begin, says } from './support/talk.ts'
import { until, untilState } from './support/wait.ts'

// The SDK prints what its agents throw.
beforeEach(() => {
  for (const level of ['log', 'warn', 'error'] as const) vi.spyOn(console, level).mockImplementation(() => {})
})
afterEach(() => vi.restoreAllMocks())

const data = (name: string, value: object): Artifact => ({
  artifactId: name,
  name,
  parts: [{ data: value as never }],
})

/** Asks for a branch, and takes only `main`. */
const reviewer: Script = ({ again, text, status, artifact }) => {
  if (!again) return status('INPUT_REQUIRED', 'Which branch?')
  if (text !== 'main') return status('INPUT_REQUIRED', `There is no ${text}. Which branch?`)
  status('WORKING', 'Reviewing.')
  artifact({ artifactId: 'notes', name: 'notes', parts: [{ text: 'Looks ' }] })
  artifact({ artifactId: 'notes', name: 'notes', parts: [{ text: 'good.' }] }, { append: true })
  artifact(data('review.json', { verdict: 'approve', summary: 'All well.', findings: [] }))
  status('COMPLETED', 'All well.')
}

/** Waits for somebody outside of the protocol. */
const deployer: Script = async ({ again, text, status, artifact, approved, taskId }) => {
  if (again && text === 'forget it') return status('REJECTED', 'Forgotten.')
  if (again) return status('AUTH_REQUIRED', `Noted: ${text}. Approve at /approve/${taskId}`)
  status('AUTH_REQUIRED', `Approve at /approve/${taskId}`)
  if (!(await approved())) return
  status('WORKING')
  artifact(data('deployment.json', { deployed: true }))
  status('COMPLETED', 'It is out.')
}

/** As the planner's own process makes them, and quicker: the SDK sends no heartbeats, and its silence is soon taken for a cut. */
function peer(name: string, url: string): PeerAgent {
  const options: ConnectOptions = {
    retry: { attempts: 3, firstMs: 20, longestMs: 50 },
    limits: { idleMs: 100 },
  }
  const agent = lazyAgent(url, { ...options, name })
  return Object.assign(agent, {
    async describe() {
      const { name, version } = await agent.card()
      return { name, version, url }
    },
  })
}

/** The planner over two agents made with the SDK, by default those above. */
async function startPlanner(
  binding: SdkBinding,
  scripts: { reviewer?: Script; deployer?: Script; forgets?: boolean } = {},
) {
  const { forgets = false } = scripts
  const reviews = await startSdkServer(scripts.reviewer ?? reviewer, {
    binding,
    name: 'their-reviewer',
    forgets,
  })
  const deploys = await startSdkServer(scripts.deployer ?? deployer, { binding, name: 'their-deployer' })
  const agent = planner({ reviewer: peer('reviewer', reviews.url), deployer: peer('deployer', deploys.url) })
  const probe = await startProbe({ agent })
  const ship = (more: object = {}) => {
    const change = { repository: 'payments-api', diff: 'diff', build: '1', environment: 'staging', ...more }
    return begin(probe, '', { parts: [{ data: change }] })
  }
  return { probe, reviews, deploys, ship }
}

const planIn = (task: Task) => task.artifacts![0]!.parts[0]!.data as unknown as { steps: object[] }

/** The id of the task that waits for an approval, from what the planner passed up. */
const idIn = (task: Task) => /approve\/([\w-]+)/.exec(says(task))![1]!

describe.each(sdkBindings)('the planner with agents made with the official SDK, over %s', (binding) => {
  test('answers what it knows, passes the approval up, and ships when it is given', async () => {
    const { probe, deploys, ship } = await startPlanner(binding)
    const id = await ship({ baseBranch: 'main' })
    const waiting = await untilState(probe, id, 'AUTH_REQUIRED')
    expect(says(waiting)).toMatch(/^their-deployer waits for an approval: "Approve at \/approve\//)
    await deploys.approve(idIn(waiting))
    const done = await untilState(probe, id, 'COMPLETED')
    expect(says(done)).toBe('Shipped. It is out.')
    expect(planIn(done)).toMatchObject({
      outcome: 'shipped',
      agents: [
        { name: 'their-reviewer', version: '1.0.0' },
        { name: 'their-deployer', version: '1.0.0' },
      ],
      steps: [
        {
          state: 'TASK_STATE_COMPLETED',
          asked: [{ kind: 'question', text: 'Which branch?', answeredBy: 'self', answer: 'main' }],
          artifacts: { 'review.json': { verdict: 'approve' } },
        },
        {
          state: 'TASK_STATE_COMPLETED',
          asked: [{ kind: 'authorization', answeredBy: 'outside' }],
          artifacts: { 'deployment.json': { deployed: true } },
        },
      ],
    })
  })

  test.each([false, true])(
    'passes a question up and the answer down, again while it is asked again (streams forgotten: %s)',
    async (forgets) => {
      const { probe, reviews, deploys, ship } = await startPlanner(binding, { forgets })
      const id = await ship()
      expect(says(await untilState(probe, id, 'INPUT_REQUIRED'))).toBe('their-reviewer asks: "Which branch?"')
      await answer(probe, id, 'trunk')
      const asked = await until('the question after the wrong answer', async () => {
        const task = await untilState(probe, id, 'INPUT_REQUIRED')
        return says(task).includes('no trunk') && task
      })
      expect(says(asked)).toBe('their-reviewer asks: "There is no trunk. Which branch?"')
      await answer(probe, id, 'main')
      await deploys.approve(idIn(await untilState(probe, id, 'AUTH_REQUIRED')))
      const [review] = planIn(await untilState(probe, id, 'COMPLETED')).steps
      expect(review).toMatchObject({
        asked: [
          { text: 'Which branch?', answeredBy: 'caller', answer: 'trunk' },
          { text: 'There is no trunk. Which branch?', answeredBy: 'caller', answer: 'main' },
        ],
      })
      expect(reviews.heard.slice(1)).toEqual(['trunk', 'main'])
    },
  )

  // Over gRPC a connection shows that it lives by pings, and silence means nothing.
  const testSilence = binding === 'GRPC' ? () => {} : test
  testSilence(
    'CLIENT-CUT-VS-END: waits for an approval through any number of streams that were given up for their silence',
    async () => {
      const { probe, deploys, ship } = await startPlanner(binding)
      const id = await ship({ baseBranch: 'main' })
      const waiting = await untilState(probe, id, 'AUTH_REQUIRED')
      await until('more subscriptions than there are tries', () => deploys.subscribed() > 5)
      await deploys.approve(idIn(waiting))
      expect(says(await untilState(probe, id, 'COMPLETED'))).toBe('Shipped. It is out.')
    },
  )

  test('forwards what its caller says during an approval, which is a new wait or the end', async () => {
    const { probe, deploys, ship } = await startPlanner(binding)
    const id = await ship({ baseBranch: 'main' })
    await untilState(probe, id, 'AUTH_REQUIRED')
    await answer(probe, id, 'at night')
    const noted = await until('the new wait', async () => {
      const task = await untilState(probe, id, 'AUTH_REQUIRED')
      return says(task).includes('Noted: at night.') && task
    })
    expect(noted.status.state).toBe('TASK_STATE_AUTH_REQUIRED')
    await answer(probe, id, 'forget it')
    const task = await untilState(probe, id, 'REJECTED')
    expect(says(task)).toMatch(/their-deployer's task \S+ ended in TASK_STATE_REJECTED: "Forgotten\."/)
    expect(deploys.heard.slice(1)).toEqual(['at night', 'forget it'])
  })

  test.each([0, 1, 5, 20, 100])('sees an approval that is given %s ms after it was asked for', async (ms) => {
    const { probe, ship } = await startPlanner(binding, {
      deployer: async ({ status, artifact, taskId }) => {
        status('AUTH_REQUIRED', `Approve at /approve/${taskId}`)
        await pause(ms)
        status('WORKING')
        artifact(data('deployment.json', { deployed: true }))
        status('COMPLETED', 'It is out.')
      },
    })
    const done = await untilState(probe, await ship({ baseBranch: 'main' }), 'COMPLETED')
    expect(planIn(done).steps[1]).toMatchObject({
      asked: [{ kind: 'authorization', answeredBy: 'outside' }],
      artifacts: { 'deployment.json': { deployed: true } },
    })
  })

  test.each([
    ['a question', {}, 'INPUT_REQUIRED', 'their-reviewer'],
    ['an approval', { baseBranch: 'main' }, 'AUTH_REQUIRED', 'their-deployer'],
  ])('carries a cancel down to a task that waits for %s', async (_, change, state, name) => {
    const { probe, ship } = await startPlanner(binding)
    const id = await ship(change)
    await untilState(probe, id, state)
    const { result } = await probe.call('JSONRPC', 'CancelTask', { id })
    expect(result.status.state).toBe('TASK_STATE_CANCELED')
    expect(says(result)).toMatch(new RegExp(`${name}'s task \\S+ is in TASK_STATE_CANCELED: "Stopped\\."`))
  })

  test.each<[string, Script, RegExp]>([
    [
      'fails',
      ({ status }) => status('FAILED', 'Out of paper.'),
      /their-reviewer's task \S+ ended in TASK_STATE_FAILED: "Out of paper\."/,
    ],
    ['throws', () => Promise.reject(new Error('a bug')), /ended in TASK_STATE_FAILED: ".*a bug"/],
    [
      'answers with a message and no task',
      ({ message }) => message('I am a chat bot.'),
      /their-reviewer answered with a message and no task: I am a chat bot\./,
    ],
    ['leaves no review', ({ status }) => status('COMPLETED'), /completed without a review\.json/],
  ])('fails with the reason where the reviewer %s', async (_, script, reason) => {
    const { probe, deploys, ship } = await startPlanner(binding, { reviewer: script })
    const id = await ship()
    const task = await until('the end', async () => {
      const { result } = await probe.call('JSONRPC', 'GetTask', { id })
      return isTerminal(result.status.state) && (result as Task)
    })
    expect(task.status.state).toBe('TASK_STATE_FAILED')
    expect(says(task)).toMatch(reason)
    expect(deploys.heard).toEqual([])
  })
})
