// A rate limit behind an agent: the task fails at once and says until when, in words and as data.
import { lazyAgent } from '@a2a-kit/client'
import { type PeerAgent, planner } from '@a2a-kit/planner'
import { RateLimited, retryAtOf, textOf } from '@a2a-kit/task-core'
import { expect, test } from 'vitest'
import { testAgent } from './support/agent.ts'
import { blocksOf } from './support/page.ts'
import { bindings, startProbe, userMessage } from './support/probe.ts'
import { answer, begin, says } from './support/talk.ts'
import { untilState } from './support/wait.ts'

const retryAt = '2026-10-06T10:00:00.000Z'
const uri = 'urn:a2a-kit:retry-at:1'
const words = `A service behind this agent takes no more requests for now. Try again at ${retryAt}.`

const [onPage] = blocksOf('docs/extensions/retry-at.md', 'json')
const shown = JSON.parse(`{${onPage!.text.replace('…', '')}}`).message

test('a step that meets it fails the task, which says over every binding when it ends', async () => {
  const probe = await startProbe()
  for (const binding of bindings) {
    const message = userMessage('limited 2026-10-06T12:00:00+02:00')
    const { status } = (await probe.call(binding, 'SendMessage', { message })).result.task
    expect([status.state, textOf(status.message)]).toEqual(['TASK_STATE_FAILED', words])
    const { role, parts, extensions, metadata } = status.message
    expect({ role, parts, extensions, metadata }, 'as its page shows it').toEqual(shown)
    expect(retryAtOf(status.message)).toEqual(new Date(retryAt))
  }
})

test('it is recorded: after a restart the same error comes from the step, which is not done again', async () => {
  let calls = 0
  const agent = testAgent(async (task) => {
    try {
      await task.step('call', () => {
        calls += 1
        throw new RateLimited(new Date(retryAt), 'The model is busy.')
      })
    } catch (error) {
      if (!(error instanceof RateLimited)) throw error
      await task.ask(`Shall I wait until ${error.resetAt.toISOString()}?`)
      throw error
    }
  })
  const before = await startProbe({ agent })
  const id = await begin(before)
  expect(says(await untilState(before, id, 'INPUT_REQUIRED'))).toBe(`Shall I wait until ${retryAt}?`)
  await before.close()
  const after = await startProbe({ agent, dataDir: before.dataDir })
  await answer(after, id, 'no')
  const task = await untilState(after, id, 'FAILED')
  expect(says(task)).toBe(`The model is busy. Try again at ${retryAt}.`)
  expect(retryAtOf(task.status.message)).toEqual(new Date(retryAt))
  expect(calls).toBe(1)
})

test('a time that is none is the agent’s bug, and is not told as a time', async () => {
  const agent = testAgent(async () => {
    throw new RateLimited(new Date('tomorrow'))
  })
  const probe = await startProbe({ agent })
  const task = await untilState(probe, await begin(probe), 'FAILED')
  expect(says(task)).toMatch(/^The agent failed. Its log explains it/)
  expect(retryAtOf({ ...task.status.message!, metadata: { [uri]: { retryAt: 'tomorrow' } } })).toBeUndefined()
})

test('the planner passes on the limit that its reviewer met', async () => {
  const reviewer = await startProbe({
    agent: testAgent(async (task) => {
      await task.step('call', () => {
        throw new RateLimited(new Date(retryAt))
      })
    }),
  })
  const remote = lazyAgent(reviewer.url)
  const peer: PeerAgent = {
    ...remote,
    url: reviewer.url,
    name: 'reviewer',
    describe: async () => ({ name: 'reviewer', version: '1', url: reviewer.url }),
  }
  const probe = await startProbe({ agent: planner({ reviewer: peer, deployer: peer }) })
  const change = {
    repository: 'payments-api',
    diff: '--- a\n+++ b\n',
    build: '2026.10.06-1',
    environment: 'staging',
  }
  const task = await untilState(probe, await begin(probe, '', { parts: [{ data: change }] }), 'FAILED')
  expect(says(task)).toMatch(/^reviewer's task \S+ ended in TASK_STATE_FAILED: "A service behind/)
  expect(retryAtOf(task.status.message)).toEqual(new Date(retryAt))
  expect(task.artifacts![0]!.parts[0]!.data).toMatchObject({ outcome: 'failed', steps: [{ retryAt }] })
})
