// The planner with the kit's own reviewer and deployer: what they wait for is waited for above, and answers find the task that asked.
import { lazyAgent } from '@a2a-kit/client'
import { type PeerAgent, planner } from '@a2a-kit/planner'
import { type Message, replayExtension, type Task } from '@a2a-kit/task-core/protocol'
import { describe, expect, test } from 'vitest'
import { ended, operate } from './support/operator.ts'
import { bindings, type Probe, startProbe } from './support/probe.ts'
import { goodDiff, question, startDeployer, startReviewer } from './support/sdk-agents.ts'
import { allFrames } from './support/sse.ts'
import { answer, begin, says } from './support/talk.ts'
import { until, untilState } from './support/wait.ts'

const tasksOf = async (probe: Probe): Promise<Task[]> =>
  (await probe.call('JSONRPC', 'ListTasks', {})).result.tasks
const states = (tasks: Task[]) => tasks.map(({ status }) => status.state.replace('TASK_STATE_', ''))

describe.each(bindings)('over %s', (binding) => {
  /** The agent at `url`, and all messages that are sent to it. */
  function peer({ url }: Probe): { agent: PeerAgent; sent: Message[] } {
    const sent: Message[] = []
    const agent = lazyAgent(url, { bindings: [binding] })
    const recorded: PeerAgent = {
      ...agent,
      url,
      get name() {
        return agent.name
      },
      sendMessage(message, options) {
        sent.push(message)
        return agent.sendMessage(message, options)
      },
      async describe() {
        const { name, version } = await agent.card()
        return { name, version, url }
      },
    }
    return { agent: recorded, sent }
  }

  async function chain() {
    const { probe: reviewer } = await startReviewer(binding)
    const deployer = await startDeployer(binding)
    const [toReviewer, toDeployer] = [peer(reviewer), peer(deployer)]
    const agent = planner({ reviewer: toReviewer.agent, deployer: toDeployer.agent })
    const probe = await startProbe({ agent })
    const change = {
      repository: 'payments-api',
      diff: await goodDiff(),
      build: '2026.10.06-1',
      environment: 'staging',
    }
    const ship = (more: object = {}) => begin(probe, '', { parts: [{ data: change }], ...more })
    return { probe, reviewer, deployer, sent: toReviewer.sent, toDeployer: toDeployer.sent, ship }
  }

  test('CLIENT-FORGETS-TASKID: an answer goes to the task that asked, and a new request starts a new one', async () => {
    const { probe, reviewer, sent, ship } = await chain()
    const id = await ship()
    const { contextId } = await untilState(probe, id, 'INPUT_REQUIRED')
    const [asked] = (await tasksOf(reviewer)) as [Task]
    expect(sent[0]).not.toHaveProperty('taskId')
    for (const text of ['trunk', 'main']) await answerQuestion(probe, id, text)
    await untilState(probe, id, 'AUTH_REQUIRED')

    const answers = sent.slice(1)
    expect(answers.map(({ parts }) => parts[0]!.text)).toEqual(['trunk', 'main'])
    for (const message of answers) {
      expect([message.taskId, message.contextId ?? asked.contextId]).toEqual([asked.id, asked.contextId])
    }
    const [reviewed, ...others] = await tasksOf(reviewer)
    expect([reviewed!.id, others]).toEqual([asked.id, []])
    expect(reviewed!.status.state).toBe('TASK_STATE_COMPLETED')

    // The review is over: what comes next in the same conversation is a task of its own.
    await ship({ contextId })
    const next = await until('the next request', () => sent[3])
    expect(next).not.toHaveProperty('taskId')
    await until('its task', async () => (await tasksOf(reviewer)).length === 2)
    expect(states((await tasksOf(reviewer)).filter((task) => task.id === asked.id))).toEqual(['COMPLETED'])
  })

  test('PAUSE-LOST-IN-CHAIN: the task waits for what the others wait for, and completes with what they made', async () => {
    const { probe, reviewer, deployer, sent, toDeployer, ship } = await chain()
    const id = await ship()
    const asking = await untilState(probe, id, 'INPUT_REQUIRED')
    expect(says(asking)).toBe(`code-reviewer asks: "${question}"`)
    expect(asking.artifacts ?? []).toEqual([])
    expect([states(await tasksOf(reviewer)), await tasksOf(deployer)]).toEqual([['INPUT_REQUIRED'], []])
    await answer(probe, id, 'main')

    const waiting = await untilState(probe, id, 'AUTH_REQUIRED')
    const [deploying] = (await tasksOf(deployer)) as [Task]
    expect(says(waiting)).toContain(`/approve/${deploying.id}`)
    expect(waiting.artifacts ?? []).toEqual([])
    expect(states([deploying, ...(await tasksOf(reviewer))])).toEqual(['AUTH_REQUIRED', 'COMPLETED'])
    expect([sent.length, toDeployer.length]).toEqual([2, 1])
    expect((await operate(deployer, 'approve', deploying.id)).status).toBe(200)

    const done = await untilState(probe, id, 'COMPLETED')
    const plan = done.artifacts!.find(({ name }) => name === 'plan.json')!.parts[0]!.data
    expect(plan).toMatchObject({
      outcome: 'shipped',
      steps: [
        { artifacts: { 'review.json': { verdict: 'approve', base: 'main' } } },
        { artifacts: { 'deployment.json': { build: '2026.10.06-1', environment: 'staging' } } },
      ],
    })
    const headers = { 'A2A-Extensions': replayExtension, 'Last-Event-ID': '1' }
    const frames = await allFrames(await probe.stream('JSONRPC', 'SubscribeToTask', { id }, headers))
    const told = frames.flatMap(({ task, statusUpdate }) => (task ?? statusUpdate)?.status.state ?? [])
    expect(told.filter((state, nth) => state !== told[nth - 1])).toEqual([
      'TASK_STATE_SUBMITTED',
      'TASK_STATE_WORKING',
      'TASK_STATE_INPUT_REQUIRED',
      'TASK_STATE_WORKING',
      'TASK_STATE_AUTH_REQUIRED',
      'TASK_STATE_WORKING',
      'TASK_STATE_COMPLETED',
    ])
  })

  test('PAUSE-LOST-IN-CHAIN: what is said during the approval goes to the task that waits for it', async () => {
    const { probe, deployer, sent, toDeployer, ship } = await chain()
    const id = await ship()
    await answerQuestion(probe, id, 'main')
    await untilState(probe, id, 'AUTH_REQUIRED')
    const [deploying] = (await tasksOf(deployer)) as [Task]
    await answer(probe, id, 'reject, wrong region')
    const task = await ended(probe, id)
    expect(task.status.state).toBe('TASK_STATE_REJECTED')
    expect(says(task)).toContain('reject, wrong region')
    expect(toDeployer.slice(1)).toMatchObject([{ taskId: deploying.id }])
    expect([sent.length, states(await tasksOf(deployer))]).toEqual([2, ['REJECTED']])
  })
})

/** Answers once the task asks; a question that was answered already is not answered again. */
async function answerQuestion(probe: Probe, id: string, text: string): Promise<void> {
  await untilState(probe, id, 'INPUT_REQUIRED')
  const { error } = await answer(probe, id, text)
  expect(error).toBeUndefined()
}
