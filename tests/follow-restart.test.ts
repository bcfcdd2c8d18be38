// `follow` across restarts, and how a cancel gets down to the task that is followed.
import { textOf } from '@a2a-kit/task-core'
import { describe, expect, test } from 'vitest'
import { gate, testAgent } from './support/agent.ts'
import { type FakeRemote, fakeRemote } from './support/fake-remote.ts'
import { answer, begin, followedIn, says, started } from './support/following.ts'
import { type Probe, startProbe } from './support/probe.ts'
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

describe('a cancel', () => {
  const cancel = async (probe: Probe, id: string) =>
    says((await probe.call('JSONRPC', 'CancelTask', { id })).result)
  const passedOn =
    'Canceled. Nothing was done. reviewer\'s task remote-task is in TASK_STATE_CANCELED: "Nothing was reviewed.".'

  test.each<[string, (remote: FakeRemote) => void, string]>([
    ['while the other works', (remote) => remote.work(), 'SUBMITTED'],
    ['while its question is mirrored', (remote) => remote.ask('?'), 'INPUT_REQUIRED'],
    ['while its wait for an approval is mirrored', (remote) => remote.wantApproval('?'), 'AUTH_REQUIRED'],
  ])('%s is carried down', async (_, move, state) => {
    const { remote, probe, id } = await started()
    move(remote)
    await untilState(probe, id, state)
    expect(await cancel(probe, id)).toBe(passedOn)
    expect(remote.state()).toBe('CANCELED')
    await until('the end of the watch', () => remote.watchers() === 0)
  })

  test('after the first message whose reply was lost finds the task and is carried down', async () => {
    const remote = fakeRemote()
    const held = gate()
    const { sendMessage } = remote.agent
    remote.agent.sendMessage = async (message, options = {}) => {
      const answered = await sendMessage(message, { ...options, returnImmediately: true })
      if (options.returnImmediately) return answered
      await Promise.race([held.pass(), aborted(options.signal!)])
      throw options.signal!.reason
    }
    const { probe, id } = await started(remote)
    expect(await cancel(probe, id)).toBe(passedOn)
    expect(remote.accepted).toHaveLength(1)
  })

  test('that a restart overtook is carried down afterwards', async () => {
    const { remote, probe, id, restarted } = await started()
    const { cancelTask } = remote.agent
    const held = gate()
    remote.agent.cancelTask = async (taskId, { signal } = {}) => {
      await Promise.race([held.pass(), aborted(signal!)])
      return cancelTask(taskId)
    }
    remote.ask('?')
    await untilState(probe, id, 'INPUT_REQUIRED')
    const lost = probe.call('JSONRPC', 'CancelTask', { id }).catch(() => {})
    await held.entered
    remote.agent.cancelTask = cancelTask
    const after = await restarted()
    await lost
    expect(says(await untilState(after, id, 'CANCELED'))).toBe(passedOn)
  })

  test('of a task whose other has just ended says how that ended', async () => {
    const { remote, probe, id } = await started()
    remote.ask('?')
    await untilState(probe, id, 'INPUT_REQUIRED')
    remote.hide()
    remote.end('FAILED', 'Too late.')
    expect(await cancel(probe, id)).toBe(
      'Canceled. Nothing was done. reviewer\'s task remote-task is in TASK_STATE_FAILED: "Too late.".',
    )
  })

  test('that does not get through says so, and ends this task all the same', async () => {
    const { remote, probe, id } = await started()
    remote.ask('?')
    await untilState(probe, id, 'INPUT_REQUIRED')
    remote.agent.cancelTask = () => Promise.reject(new Error('connection refused'))
    expect(await cancel(probe, id)).toBe(
      "Canceled. Nothing was done. reviewer's task remote-task could not be canceled and may go on: connection refused",
    )
    expect(remote.state()).toBe('INPUT_REQUIRED')
  })

  test('of a task that waits for its turn to go on does not wait for that turn', async () => {
    const remote = fakeRemote()
    const held = gate()
    const agent = testAgent((task) =>
      textOf(task.message) === 'hold'
        ? task.step('hold', held.pass)
        : task.follow('review', { agent: remote.agent, message: 'Review.' }).then(() => {}),
    )
    const probe = await startProbe({ agent, settings: { cancelGrace: 1_000_000 } })
    const id = await begin(probe, 'go', { contextId: 'one' })
    await until('the first message', () => remote.state())
    remote.ask('?')
    await untilState(probe, id, 'INPUT_REQUIRED')
    await begin(probe, 'hold', { contextId: 'one' })
    await held.entered
    await answer(probe, id, 'main')
    expect(await cancel(probe, id)).toBe(passedOn)
    held.open()
  })
})

const aborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
  )
