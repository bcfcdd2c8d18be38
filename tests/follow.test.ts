// `follow`: a task that hands work to another agent's task mirrors its waits, answers them, and ends with it.
import { textOf } from '@a2a-kit/task-core'
import { describe, expect, test } from 'vitest'
import { testAgent } from './support/agent.ts'
import { fakeRemote } from './support/fake-remote.ts'
import { followedIn, following, started } from './support/following.ts'
import { startProbe, userMessage } from './support/probe.ts'
import { expectRefusal } from './support/refusals.ts'
import { allFrames } from './support/sse.ts'
import { answer, says } from './support/talk.ts'
import { until, untilState } from './support/wait.ts'

test('the other agent gets the message once, and its end and artifacts come back', async () => {
  const { remote, probe, id } = await started()
  remote.work()
  remote.emit('all good')
  remote.end('COMPLETED', 'Reviewed.')
  const task = await untilState(probe, id, 'COMPLETED')
  expect(says(task)).toBe('It ended in TASK_STATE_COMPLETED.')
  expect(followedIn(task)).toMatchObject({ agent: 'reviewer', asked: [], task: { id: 'remote-task' } })
  expect(followedIn(task).artifacts.map(textOf)).toEqual(['all good'])
  expect(remote.accepted).toEqual([
    { messageId: `${id}/follow:review#1`, role: 'ROLE_USER', parts: [{ text: 'Please review this.' }] },
  ])
  expect(remote.watchers(), 'watches that nobody needs').toBe(0)
})

test.each(['FAILED', 'REJECTED', 'CANCELED'])('an end in %s is the agent’s to judge', async (state) => {
  const { remote, probe, id } = await started()
  remote.end(state, 'Not like this.')
  expect(says(await untilState(probe, id, 'COMPLETED'))).toBe(`It ended in TASK_STATE_${state}.`)
})

describe('a question of the other agent', () => {
  test('is asked in its words, and the caller’s answer goes to it as it is', async () => {
    const { remote, probe, id } = await started()
    remote.ask('Which branch?')
    expect(says(await untilState(probe, id, 'INPUT_REQUIRED'))).toBe('reviewer asks: "Which branch?"')
    const message = {
      ...userMessage('', { taskId: id }),
      parts: [{ text: 'main' }, { data: { base: 'main' } }],
    }
    await probe.call('JSONRPC', 'SendMessage', { message, configuration: { returnImmediately: true } })
    await until('the answer', () => remote.accepted.length === 2)
    expect(remote.accepted[1]).toMatchObject({
      taskId: 'remote-task',
      contextId: 'remote-context',
      parts: message.parts,
    })
    await untilState(probe, id, 'WORKING')
    remote.end('COMPLETED')
    const task = await untilState(probe, id, 'COMPLETED')
    expect(followedIn(task).asked).toEqual([
      {
        kind: 'question',
        text: 'Which branch?',
        at: '2026-10-06T09:00:00.000Z',
        answeredBy: 'caller',
        answer: 'main',
        answeredAt: expect.any(String),
      },
    ])
    expect(task.history?.map(textOf)).toEqual(['go', 'reviewer asks: "Which branch?"', 'main'])
  })

  test('is answered by this agent where it knows, and passed up where it does not', async () => {
    const remote = fakeRemote()
    const asked: [string, number][] = []
    const { probe, id } = await started(remote, {
      answer: (question, nth) => {
        asked.push([textOf(question), nth])
        return nth === 1 ? 'main' : undefined
      },
    })
    remote.ask('Which branch?')
    await until('the answer', () => remote.accepted[1])
    remote.ask('Really?')
    expect(says(await untilState(probe, id, 'INPUT_REQUIRED'))).toBe('reviewer asks: "Really?"')
    await answer(probe, id, 'yes')
    await until('the answer', () => remote.accepted[2])
    remote.end('COMPLETED')
    const { asked: answered } = followedIn(await untilState(probe, id, 'COMPLETED'))
    expect(answered.map(({ answeredBy, answer }) => [answeredBy, answer])).toEqual([
      ['self', 'main'],
      ['caller', 'yes'],
    ])
    expect(new Set(asked.map(String))).toEqual(new Set(['Which branch?,1', 'Really?,2']))
  })

  test('that comes right after another, in the same words and at the same time, is another one', async () => {
    const { remote, probe, id } = await started()
    for (const text of ['first', 'second', 'third']) {
      remote.ask('And?')
      await untilState(probe, id, 'INPUT_REQUIRED')
      await answer(probe, id, text)
      await until('the answer', () => remote.accepted.some(({ parts }) => parts[0]!.text === text))
    }
    remote.end('COMPLETED')
    const { asked } = followedIn(await untilState(probe, id, 'COMPLETED'))
    expect(asked.map((one) => [one.answeredBy, one.answer])).toEqual([
      ['caller', 'first'],
      ['caller', 'second'],
      ['caller', 'third'],
    ])
  })

  test('that is told by a reply before the watch shows it is asked once, when the watch has come so far', async () => {
    const { remote, probe, id } = await started()
    remote.ask('Which branch?')
    await untilState(probe, id, 'INPUT_REQUIRED')
    remote.hide()
    await answer(probe, id, 'main')
    await until('the answer', () => remote.accepted[1])
    remote.ask('Which reviewer?')
    await untilState(probe, id, 'WORKING')
    remote.showAll()
    await until('the next question', async () =>
      says(await untilState(probe, id, 'INPUT_REQUIRED')).includes('Which reviewer?'),
    )
    await answer(probe, id, 'Ada')
    await until('the answer', () => remote.accepted[2])
    remote.end('COMPLETED')
    const { asked } = followedIn(await untilState(probe, id, 'COMPLETED'))
    expect(asked.map(({ answeredBy, answer }) => [answeredBy, answer])).toEqual([
      ['caller', 'main'],
      ['caller', 'Ada'],
    ])
  })

  test('that is answered elsewhere is taken back here', async () => {
    const { remote, probe, id } = await started()
    remote.ask('Which branch?')
    await untilState(probe, id, 'INPUT_REQUIRED')
    remote.work()
    await untilState(probe, id, 'WORKING')
    expectRefusal(await answer(probe, id, 'main'), 'JSONRPC', 'UNSUPPORTED_OPERATION')
    remote.ask('Another?')
    await untilState(probe, id, 'INPUT_REQUIRED')
    remote.end('COMPLETED')
    const { asked } = followedIn(await untilState(probe, id, 'COMPLETED'))
    expect(asked.map((one) => [one.text, one.answeredBy, one.answer])).toEqual([
      ['Which branch?', 'outside', undefined],
      ['Another?', 'outside', undefined],
    ])
  })

  test('that was answered elsewhere before the caller’s answer arrived counts as answered from outside', async () => {
    const { remote, probe, id } = await started()
    remote.ask('Which branch?')
    await untilState(probe, id, 'INPUT_REQUIRED')
    remote.hide()
    remote.work()
    await answer(probe, id, 'develop')
    await untilState(probe, id, 'WORKING')
    // It is known from the refusal that the other works, and from the watch that it asks: neither makes this process spin.
    expect((await fetch(`${probe.url}/health`)).status).toBe(200)
    remote.showAll()
    remote.end('COMPLETED')
    const task = await untilState(probe, id, 'COMPLETED')
    expect(followedIn(task).asked).toMatchObject([{ answeredBy: 'outside' }])
    expect(followedIn(task).asked[0]).not.toHaveProperty('answer')
    expect(remote.accepted).toHaveLength(1)
  })
})

describe('an authorization that the other agent waits for', () => {
  test('is shown in its words, arrives from outside, and one stream carries it all', async () => {
    const remote = fakeRemote('deployer')
    const probe = await startProbe({ agent: following(remote) })
    const stream = await probe.stream('JSONRPC', 'SendStreamingMessage', { message: userMessage('go') })
    await until('the first message', () => remote.state())
    remote.wantApproval('Approve this at http://deployer.example/approve/1')
    const id = (await stream.frames.next()).value.task.id
    await untilState(probe, id, 'AUTH_REQUIRED')
    expect((await fetch(`${probe.url}/approve/${id}`, { method: 'POST' })).status).toBe(409)
    remote.work()
    await untilState(probe, id, 'WORKING')
    remote.end('COMPLETED')
    const frames = await allFrames(stream)
    expect(frames.map(({ statusUpdate }) => statusUpdate?.status.state.replace('TASK_STATE_', ''))).toEqual([
      'AUTH_REQUIRED',
      'WORKING',
      undefined,
      'COMPLETED',
    ])
    expect(textOf(frames[0]!.statusUpdate!.status.message)).toBe(
      'deployer waits for an approval: "Approve this at http://deployer.example/approve/1"',
    )
    const { asked } = followedIn(await untilState(probe, id, 'COMPLETED'))
    expect(asked).toMatchObject([{ kind: 'authorization', answeredBy: 'outside' }])
  })

  test('takes what the caller says meanwhile, and is shown again when it is asked for again', async () => {
    const { remote, probe, id } = await started(fakeRemote(), { answer: () => 'never to an authorization' })
    remote.wantApproval('Deploy to staging?')
    await untilState(probe, id, 'AUTH_REQUIRED')
    await answer(probe, id, 'rather to test')
    await until('the correction', () => remote.accepted[1])
    remote.wantApproval('Deploy to test?')
    const again = await untilState(probe, id, 'AUTH_REQUIRED')
    expect(says(again)).toBe('reviewer waits for an approval: "Deploy to test?"')
    remote.work()
    remote.end('COMPLETED')
    const { asked } = followedIn(await untilState(probe, id, 'COMPLETED'))
    expect(asked.map(({ answeredBy, answer }) => [answeredBy, answer])).toEqual([
      ['caller', 'rather to test'],
      ['outside', undefined],
    ])
  })
})

test('while it mirrors a wait the task leaves its context to others, and takes its turn again to go on', async () => {
  const remote = fakeRemote()
  const agent = testAgent(async (task) => {
    if (textOf(task.message) === 'go')
      await task.follow('review', { agent: remote.agent, message: 'Review.' })
  })
  const probe = await startProbe({ agent })
  const send = async (text: string) => {
    const message = userMessage(text, { contextId: 'one' })
    const configuration = { returnImmediately: true }
    return (await probe.call('JSONRPC', 'SendMessage', { message, configuration })).result.task.id
  }
  const id = await send('go')
  const other = await send('other')
  await until('the first message', () => remote.state())
  await untilState(probe, other, 'SUBMITTED')
  remote.ask('?')
  await untilState(probe, other, 'COMPLETED')
  await untilState(probe, id, 'INPUT_REQUIRED')
  remote.end('COMPLETED')
  await untilState(probe, id, 'COMPLETED')
})
