// `follow` with two real agents: a task of the one follows a task of the other over HTTP.
import { textOf } from '@a2a-kit/task-core'
import { expect, test } from 'vitest'
import { testAgent } from './support/agent.ts'
import { followedIn } from './support/following.ts'
import { type Probe, startProbe } from './support/probe.ts'
import { remoteOverHttp } from './support/remote-over-http.ts'
import { answer, begin, says } from './support/talk.ts'
import { until, untilState } from './support/wait.ts'

/** An agent that has the conformance agent do what its message says. */
const passingOn = (remote: Probe) =>
  testAgent(async (task) => {
    const delegation = { agent: remoteOverHttp(remote), message: textOf(task.message) }
    const followed = await task.follow('script', delegation)
    await task.artifact({ name: 'followed', data: followed })
  })

async function pair() {
  const remote = await startProbe({ settings: { cancelGrace: 20 } })
  const agent = passingOn(remote)
  return { remote, agent, probe: await startProbe({ agent }) }
}

const tasksOf = async (remote: Probe) => (await remote.call('JSONRPC', 'ListTasks', {})).result.tasks

/** Stops the agent and starts it again in the same place. */
const again = async ({ dataDir, port, close }: Probe, agent?: ReturnType<typeof passingOn>) => {
  await close()
  return startProbe({ dataDir, port, ...(agent ? { agent } : {}) })
}

test('a question and its answer travel down and up', async () => {
  const { remote, probe } = await pair()
  const id = await begin(probe, 'working; ask Which branch?; ask Really?')
  expect(says(await untilState(probe, id, 'INPUT_REQUIRED'))).toBe('conformance asks: "Which branch?"')
  await answer(probe, id, 'main')
  await until('the next question', async () =>
    says(await untilState(probe, id, 'INPUT_REQUIRED')).includes('Really?'),
  )
  await answer(probe, id, 'yes')
  const { asked, artifacts } = followedIn(await untilState(probe, id, 'COMPLETED'))
  expect(asked.map(({ answeredBy, answer }) => [answeredBy, answer])).toEqual([
    ['caller', 'main'],
    ['caller', 'yes'],
  ])
  expect(artifacts.map(textOf)).toEqual(['main', 'yes'])
  expect(await tasksOf(remote)).toHaveLength(1)
})

test('an approval down there lets the task up here go on, whoever was restarted meanwhile', async () => {
  const { remote, agent, probe } = await pair()
  const id = await begin(probe, 'authorize the deploy; artifact report deployed')
  const waiting = await untilState(probe, id, 'AUTH_REQUIRED')
  const [, link] = /at (http\S+?)"/.exec(says(waiting))!
  const remoteAfter = await again(remote)
  const probeAfter = await again(probe, agent)
  expect((await fetch(link!, { method: 'POST' })).status).toBe(200)
  const { asked, artifacts } = followedIn(await untilState(probeAfter, id, 'COMPLETED'))
  expect(asked).toMatchObject([{ kind: 'authorization', answeredBy: 'outside' }])
  expect(artifacts.map(({ name }) => name)).toEqual(['decision', 'report'])
  expect(await tasksOf(remoteAfter)).toHaveLength(1)
})

test('the other agent may be restarted while this one waits for its first answer', async () => {
  const { remote, probe } = await pair()
  const id = await begin(probe, 'working; sleep 300; ask Still there?')
  await until('the task down there', async () => (await tasksOf(remote)).length)
  const after = await again(remote)
  await untilState(probe, id, 'INPUT_REQUIRED')
  expect(await tasksOf(after)).toHaveLength(1)
})

test.each(['hang', 'ask', 'authorize'])(
  'a cancel is carried down while the other is in "%s"',
  async (text) => {
    const { remote, probe } = await pair()
    const id = await begin(probe, `working; ${text}`)
    if (text === 'hang') await until('the task down there', async () => (await tasksOf(remote)).length)
    else await untilState(probe, id, 'INPUT_REQUIRED', 'AUTH_REQUIRED')
    const { result } = await probe.call('JSONRPC', 'CancelTask', { id })
    expect(says(result)).toMatch(/conformance's task \S+ is in TASK_STATE_CANCELED: "Canceled\./)
    expect(await tasksOf(remote)).toMatchObject([{ status: { state: 'TASK_STATE_CANCELED' } }])
  },
)
