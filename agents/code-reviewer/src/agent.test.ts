import type { Message, Part, Task } from '@a2a-kit/task-core'
import { textOf } from '@a2a-kit/task-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Probe, startProbe, userMessage } from '../../../tests/support/probe.ts'
import { allFrames } from '../../../tests/support/sse.ts'
import { codeReviewer } from './agent.ts'
import { makeFixtureRepository } from './fixture.ts'
import { openRepository, type Repository } from './repository.ts'
import { change, fixture, newFile, temporaryFolder } from './testing.ts'

const question = 'Which base branch should I compare this diff against?'
let payments: Repository
let good: string

beforeAll(async () => {
  payments = openRepository('payments-api', await makeFixtureRepository(fixture, await temporaryFolder()))
  good = await change('idempotency-keys')
})

const start = (options = {}) => startProbe({ agent: codeReviewer({ repositories: [payments] }), ...options })

/** Sends a message, about `task` if one is given, and gives the task as it stands when it waits or ends. */
async function send(probe: Probe, parts: string | Part[], task?: Task): Promise<Task> {
  const content = typeof parts === 'string' ? [{ text: parts }] : parts
  const message: Partial<Message> = { parts: content, ...(task ? { taskId: task.id } : {}) }
  return (await probe.call('JSONRPC', 'SendMessage', { message: userMessage('', message) })).result.task
}

const said = ({ status }: Task) => [status.state, textOf(status.message)]
const artifactIn = (task: Task, name: string) => task.artifacts?.find((artifact) => artifact.name === name)
const reviewIn = (task: Task) => artifactIn(task, 'review.json')?.parts[0]?.data
const summary = 'Approved: 9 files, +92 -4, findings: 1 info.'

describe('the code reviewer', () => {
  test('asks for the base branch at once, and reviews when it is answered', async () => {
    const probe = await start()
    const asked = await send(probe, `Please review this diff of payments-api:\n\n${good}`)
    expect(said(asked)).toEqual(['TASK_STATE_INPUT_REQUIRED', question])
    const done = await send(probe, 'main', asked)
    expect(said(done)).toEqual(['TASK_STATE_COMPLETED', summary])
    expect(reviewIn(done)).toMatchObject({
      repository: 'payments-api',
      base: 'main',
      baseCommit: await payments.commitOf('main'),
      verdict: 'approve',
    })
  })

  test('does not ask for what it was told, and says that it works', async () => {
    const probe = await start()
    const message = userMessage('', {
      parts: [{ data: { repository: 'payments-api', diff: good, baseBranch: 'main' } }],
    })
    const frames = await allFrames(await probe.stream('JSONRPC', 'SendStreamingMessage', { message }))
    expect(
      frames.map(
        ({ task, statusUpdate, artifactUpdate }) =>
          task?.status.state ?? artifactUpdate?.artifact.name ?? said(statusUpdate as unknown as Task),
      ),
    ).toEqual([
      'TASK_STATE_SUBMITTED',
      ['TASK_STATE_WORKING', 'Reviewing the diff of payments-api against main'],
      'review.md',
      'review.json',
      ['TASK_STATE_COMPLETED', summary],
    ])
  })

  test('writes the review for people too: in one piece, or in chunks where artifacts are streamed', async () => {
    const message = userMessage('', {
      parts: [{ data: { diff: await change('hardcoded-secret'), baseBranch: 'main' } }],
    })
    async function written(probe: Probe) {
      const frames = await allFrames(await probe.stream('JSONRPC', 'SendStreamingMessage', { message }))
      return frames
        .flatMap(({ artifactUpdate }) => artifactUpdate ?? [])
        .filter(({ artifact }) => artifact.name === 'review.md')
    }
    const textIn = (updates: Awaited<ReturnType<typeof written>>) =>
      updates.map(({ artifact }) => artifact.parts[0]!.text)

    const whole = await written(await start())
    expect(textIn(whole)).toEqual([
      expect.stringMatching(/^# Review .*^## `src\/config.js`.*^## `src\/export.js`.*^## Verdict/ms),
    ])
    const chunks = await written(await start({ settings: { streamArtifacts: true } }))
    expect(chunks.map(({ append = false, lastChunk = false }) => [append, lastChunk])).toEqual([
      [false, false],
      [true, false],
      [true, false],
      [true, true],
    ])
    expect(textIn(chunks).join('')).toBe(textIn(whole)[0])
  })

  test('asks again, and says more, until a branch fits', async () => {
    const probe = await start()
    let task = await send(probe, [
      { raw: Buffer.from(good).toString('base64'), mediaType: 'text/x-diff', filename: 'a.diff' },
    ])
    const branches = 'payments-api has develop, main, release/2026.09.'
    for (const [answer, reason] of [
      ['mian', `There is no branch mian. ${branches}`],
      ['the one you like best', `I cannot tell which branch that names. ${branches}`],
      [
        'release/2026.09',
        'The diff does not apply to release/2026.09: src/payments.js, test/payments.test.js. Git says: patch failed: src/payments.js:30; src/payments.js: patch does not apply; patch failed: test/payments.test.js:41; test/payments.test.js: patch does not apply.',
      ],
    ]) {
      task = await send(probe, answer as string, task)
      expect(said(task)).toEqual(['TASK_STATE_INPUT_REQUIRED', `${reason} ${question}`])
    }
    task = await send(probe, [{ data: { baseBranch: 'develop' } }], task)
    expect(said(task)).toEqual(['TASK_STATE_COMPLETED', summary])
    expect(reviewIn(task)).toMatchObject({ base: 'develop' })
  })

  test('asks again for a base branch that came with the diff and does not fit', async () => {
    const probe = await start()
    const asked = await send(probe, [{ data: { diff: await change('stale'), baseBranch: 'main' } }])
    expect(asked.status.state).toBe('TASK_STATE_INPUT_REQUIRED')
    expect(textOf(asked.status.message)).toMatch(
      /does not apply to main: src\/webhooks\.js, .* Which base branch/,
    )
    expect((await send(probe, 'release/2026.09', asked)).status.state).toBe('TASK_STATE_COMPLETED')
  })

  test('completes with the findings when it asks for changes', async () => {
    const probe = await start()
    const done = await send(probe, [{ data: { diff: await change('hardcoded-secret'), baseBranch: 'main' } }])
    expect(said(done)).toEqual([
      'TASK_STATE_COMPLETED',
      'Changes requested: 3 files, +20 -1, findings: 3 critical, 4 major, 1 minor.',
    ])
    expect(reviewIn(done)).toMatchObject({ verdict: 'request-changes' })
  })

  test('fails what is not a diff, and says what is wrong', async () => {
    const probe = await start()
    const failed = await send(probe, good.slice(0, -100))
    expect(failed.status.state).toBe('TASK_STATE_FAILED')
    expect(textOf(failed.status.message)).toMatch(/^This is not a unified diff: /)
    const outside = await send(probe, [
      { data: { diff: newFile('../outside.txt', 'x'), baseBranch: 'main' } },
    ])
    expect(said(outside)).toEqual([
      'TASK_STATE_FAILED',
      "Git cannot read this diff: invalid path '../outside.txt'.",
    ])
  })

  test('rejects a diff of a repository that it does not have', async () => {
    const probe = await start()
    const rejected = await send(probe, [{ data: { repository: 'billing', diff: good } }])
    expect(said(rejected)).toEqual([
      'TASK_STATE_REJECTED',
      'There is no repository billing here. Known: payments-api.',
    ])
    const two = codeReviewer({ repositories: [payments, { ...payments, name: 'ledger' }] })
    const unnamed = await send(await startProbe({ agent: two }), good)
    expect(said(unnamed)).toEqual([
      'TASK_STATE_REJECTED',
      'Name the repository of this diff. Known: payments-api, ledger.',
    ])
  })

  test('goes on after a restart, and does not do again what is recorded', async () => {
    let looks = 0
    const applies: Repository['applies'] = (...given) => {
      looks++
      return payments.applies(...given)
    }
    const agent = codeReviewer({ repositories: [{ ...payments, applies }] })
    const first = await start({ agent })
    const asked = await send(first, [{ data: { diff: good, baseBranch: 'release/2026.09' } }])
    await first.close()
    const second = await start({ agent, dataDir: first.dataDir })
    expect(said(await send(second, 'main', asked))).toEqual(['TASK_STATE_COMPLETED', summary])
    expect(looks).toBe(2)
  })

  test('says that no review was written when it is canceled', async () => {
    const probe = await start()
    const asked = await send(probe, good)
    const { result } = await probe.call('JSONRPC', 'CancelTask', { id: asked.id })
    expect(said(result)).toEqual(['TASK_STATE_CANCELED', 'Canceled: no review was written.'])
  })
})
