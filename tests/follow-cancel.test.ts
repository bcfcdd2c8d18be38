// How a cancel gets down to the task that is followed.
import { textOf } from '@a2a-kit/task-core'
import { describe, expect, test } from 'vitest'
import { gate, testAgent } from './support/agent.ts'
import { type FakeRemote, fakeRemote } from './support/fake-remote.ts'
import { started } from './support/following.ts'
import { type Probe, startProbe } from './support/probe.ts'
import { answer, begin, says } from './support/talk.ts'
import { until, untilState } from './support/wait.ts'

describe('a cancel', () => {
  const cancel = async (probe: Probe, id: string) =>
    says((await probe.call('JSONRPC', 'CancelTask', { id })).result)
  const passedOn =
    'Canceled. Nothing was done. reviewer\'s task remote-task is in TASK_STATE_CANCELED: "Nothing was reviewed."'

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
      'Canceled. Nothing was done. reviewer\'s task remote-task is in TASK_STATE_FAILED: "Too late."',
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
