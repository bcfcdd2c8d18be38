// `follow` across restarts, in each state that the other task can be in.
import { textOf } from '@a2a-kit/task-core'
import { describe, expect, test } from 'vitest'
import { gate, testAgent } from './support/agent.ts'
import { type FakeRemote, fakeRemote } from './support/fake-remote.ts'
import { followedIn, started } from './support/following.ts'
import { startProbe } from './support/probe.ts'
import { answer, begin, says } from './support/talk.ts'
import { until, untilState } from './support/wait.ts'

const texts = (remote: FakeRemote) => remote.accepted.map(textOf)

describe('a restart', () => {
  test('while the other works: it is followed on, and asked once', async () => {
    const { remote, id, restarted } = await started()
    remote.work()
    const after = await restarted()
    remote.end('COMPLETED')
    await untilState(after, id, 'COMPLETED')
    expect(texts(remote)).toEqual(['Please review this.'])
  })

  test('after the first message whose reply was lost finds the task that it made', async () => {
    const remote = fakeRemote()
    const held = gate()
    const { sendMessage } = remote.agent
    remote.agent.sendMessage = async (message, options) => {
      await sendMessage(message, { ...options, returnImmediately: true })
      if (remote.accepted.length === 1) await held.pass() // the reply never comes
      return sendMessage(message, options)
    }
    const { id, restarted } = await started(remote)
    remote.agent.sendMessage = sendMessage
    const after = await restarted()
    remote.end('COMPLETED')
    await untilState(after, id, 'COMPLETED')
    expect(texts(remote)).toEqual(['Please review this.'])
  })

  test.each(['ask', 'wantApproval'] as const)(
    'while its wait is mirrored (%s): nothing changes, and its end is seen',
    async (kind) => {
      const { remote, probe, id, restarted } = await started()
      remote[kind]('Well?')
      const before = await untilState(probe, id, 'INPUT_REQUIRED', 'AUTH_REQUIRED')
      const after = await restarted()
      await until('the watch', () => remote.watchers())
      expect((await after.call('JSONRPC', 'GetTask', { id })).result).toEqual(before)
      remote.work()
      remote.end('COMPLETED')
      const task = await untilState(after, id, 'COMPLETED')
      expect(followedIn(task).asked).toMatchObject([{ text: 'Well?', answeredBy: 'outside' }])
    },
  )

  test('while its question is mirrored: the answer that comes afterwards is passed on', async () => {
    const { remote, probe, id, restarted } = await started()
    remote.ask('Which branch?')
    await untilState(probe, id, 'INPUT_REQUIRED')
    const after = await restarted()
    await answer(after, id, 'main')
    await until('the answer', () => remote.accepted[1])
    remote.end('COMPLETED')
    const { asked } = followedIn(await untilState(after, id, 'COMPLETED'))
    expect(asked).toMatchObject([{ answeredBy: 'caller', answer: 'main' }])
    expect(texts(remote)).toEqual(['Please review this.', 'main'])
  })

  test('while the other is away leaves the context of a mirrored wait to others', async () => {
    const remote = fakeRemote()
    const agent = testAgent(async (task) => {
      if (textOf(task.message) === 'go')
        await task.follow('review', { agent: remote.agent, message: 'Review.' })
    })
    const before = await startProbe({ agent })
    const id = await begin(before, 'go', { contextId: 'one' })
    await until('the first message', () => remote.state())
    remote.ask('?')
    await untilState(before, id, 'INPUT_REQUIRED')
    await before.close()
    remote.giveUp(new Error('no answer'))
    const after = await startProbe({ agent, dataDir: before.dataDir })
    await untilState(after, await begin(after, 'other', { contextId: 'one' }), 'COMPLETED')
    await untilState(after, id, 'INPUT_REQUIRED')
  })

  test('during which it was answered elsewhere and asks again: the new question is asked, the old one is not', async () => {
    const { remote, probe, id, restarted } = await started()
    remote.ask('Which branch?')
    await untilState(probe, id, 'INPUT_REQUIRED')
    await probe.close()
    remote.work()
    remote.ask('Which reviewer?')
    const after = await restarted()
    await until('the new question', async () =>
      says(await untilState(after, id, 'INPUT_REQUIRED')).includes('Which reviewer?'),
    )
    await answer(after, id, 'Ada')
    await until('the answer', () => remote.accepted[1])
    remote.end('COMPLETED')
    const { asked } = followedIn(await untilState(after, id, 'COMPLETED'))
    expect(asked.map((one) => [one.text, one.answeredBy, one.answer])).toEqual([
      ['Which branch?', 'outside', undefined],
      ['Which reviewer?', 'caller', 'Ada'],
    ])
  })

  test('during which it ended: its end is seen', async () => {
    const { remote, probe, id, restarted } = await started()
    remote.wantApproval('May I?')
    await untilState(probe, id, 'AUTH_REQUIRED')
    await probe.close()
    remote.work()
    remote.end('REJECTED', 'No.')
    const after = await restarted()
    const task = await untilState(after, id, 'COMPLETED')
    expect(says(task)).toBe('It ended in TASK_STATE_REJECTED.')
    expect(followedIn(task).asked).toMatchObject([{ answeredBy: 'outside' }])
  })

  test.each(['caller', 'self'])(
    'after an answer (of %s) whose reply was lost: it is not given twice, and is known as whose it was',
    async (by) => {
      const remote = fakeRemote()
      const own = by === 'self' ? { answer: () => 'main' } : {}
      const { probe, id, restarted } = await started(remote, own)
      const { sendMessage } = remote.agent
      const held = gate()
      remote.agent.sendMessage = async (message, options) => {
        await sendMessage(message, { ...options, returnImmediately: true })
        await held.pass() // the reply never comes
        return sendMessage(message, options)
      }
      remote.ask('Which branch?')
      if (by === 'caller') {
        await untilState(probe, id, 'INPUT_REQUIRED')
        await answer(probe, id, 'main')
      }
      await held.entered
      await probe.close()
      remote.agent.sendMessage = sendMessage
      remote.ask('Which reviewer?')
      const after = await restarted()
      if (by === 'caller') {
        await untilState(after, id, 'INPUT_REQUIRED')
        await answer(after, id, 'Ada')
      }
      await until('the second answer', () => remote.accepted[2])
      remote.end('COMPLETED')
      const { asked } = followedIn(await untilState(after, id, 'COMPLETED'))
      expect(texts(remote)).toEqual(['Please review this.', 'main', by === 'self' ? 'main' : 'Ada'])
      expect(asked.map(({ answeredBy }) => answeredBy)).toEqual([by, by])
    },
  )

  test('while the other is far ahead of what was seen of it keeps the process alive', async () => {
    const { remote, probe, id, restarted } = await started()
    remote.ask('Which branch?')
    await untilState(probe, id, 'INPUT_REQUIRED')
    await probe.close()
    remote.hide()
    remote.work()
    const after = await restarted()
    await until('the watch', () => remote.watchers())
    await untilState(after, id, 'INPUT_REQUIRED')
    remote.showAll()
    await untilState(after, id, 'WORKING')
    remote.end('COMPLETED')
    await untilState(after, id, 'COMPLETED')
  })

  test('after a follow that ended does not miss what its waits were answered with', async () => {
    const remote = fakeRemote()
    const agent = testAgent(async (task) => {
      await task.follow('review', { agent: remote.agent, message: 'Review.' })
      await task.ask('Shall I go on?')
    })
    const before = await startProbe({ agent })
    const id = await begin(before)
    await until('the first message', () => remote.state())
    remote.ask('Which branch?')
    await untilState(before, id, 'INPUT_REQUIRED')
    await answer(before, id, 'main')
    await until('the answer', () => remote.accepted[1])
    remote.end('COMPLETED')
    await until('the next question', async () =>
      says(await untilState(before, id, 'INPUT_REQUIRED', 'WORKING')).includes('Shall I go on?'),
    )
    await before.close()
    const after = await startProbe({ agent, dataDir: before.dataDir })
    await answer(after, id, 'yes')
    await untilState(after, id, 'COMPLETED')
  })
})
