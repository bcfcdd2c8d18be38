// A crash at any moment of a task that follows another: an agent that starts on any state of the files brings both to the same end,
// and the other agent hears everything once.
import { textOf } from '@a2a-kit/task-core'
import type { Task } from '@a2a-kit/task-core/protocol'
import { expect, test } from 'vitest'
import { type FakeRemote, fakeRemote } from './support/fake-remote.ts'
import { followedIn, following } from './support/following.ts'
import { imaged } from './support/images.ts'
import { type Probe, startProbe } from './support/probe.ts'
import { until } from './support/wait.ts'

const message = (messageId: string, text: string, taskId?: string) => ({
  message: { messageId, role: 'ROLE_USER', parts: [{ text }], ...(taskId ? { taskId } : {}) },
  configuration: { returnImmediately: true },
})

interface Story {
  /** Cancels at the question instead of answering it. */
  cancels?: boolean
}

/** The caller, who says what it has said before, and the other agent: it asks, then wants an approval, and gets it at last. */
async function toTheEnd(probe: Probe, remote: FakeRemote, { cancels }: Story = {}): Promise<Task> {
  const { result } = await probe.call('JSONRPC', 'SendMessage', message('m1', 'go'))
  const { id } = result.task
  return until('the end of the task', async () => {
    const { result: task } = await probe.call('JSONRPC', 'GetTask', { id })
    const state = task.status.state.replace('TASK_STATE_', '')
    if (remote.state() === 'SUBMITTED') remote.ask('Which branch?')
    else if (remote.state() === 'WORKING' && remote.accepted.length === 2) remote.wantApproval('May I?')
    if (state === 'INPUT_REQUIRED') {
      if (cancels) await probe.call('JSONRPC', 'CancelTask', { id })
      else await probe.call('JSONRPC', 'SendMessage', message('m2', 'main', id))
    }
    if (state === 'AUTH_REQUIRED' && remote.state() === 'AUTH_REQUIRED') {
      remote.end('COMPLETED', 'Approved and done.')
    }
    return ['COMPLETED', 'FAILED', 'CANCELED'].includes(state) && (task as Task)
  })
}

/** Runs both tasks once, then again from every state in which a crash would have left them. */
async function afterEachCrash(story: Story, check: (task: Task, remote: FakeRemote) => void): Promise<void> {
  const remote = fakeRemote()
  const { dataDir, world, images } = await imaged(
    'test-agent',
    () => remote.copy(),
    (copy) => [copy.state(), copy.accepted.length],
  )
  const uncut = await startProbe({ agent: following(remote), dataDir, world })
  check(await toTheEnd(uncut, remote, story), remote)
  await uncut.close()
  expect(images.length).toBeGreaterThan(5)
  for (const image of images) {
    const probe = await startProbe({ agent: following(image.beside), dataDir: image.dataDir })
    check(await toTheEnd(probe, image.beside, story), image.beside)
    await probe.close()
  }
}

test('both tasks end the same, whatever moment the crash came at', () =>
  afterEachCrash({}, (task, remote) => {
    expect(task.status.state).toBe('TASK_STATE_COMPLETED')
    expect(remote.accepted.map(textOf)).toEqual(['Please review this.', 'main'])
    const { asked } = followedIn(task)
    expect(asked.map((one) => [one.kind, one.text, one.answeredBy, one.answer])).toEqual([
      ['question', 'Which branch?', 'caller', 'main'],
      ['authorization', 'May I?', 'outside', undefined],
    ])
  }))

test('a cancel gets down, whatever moment the crash came at', () =>
  afterEachCrash({ cancels: true }, (task, remote) => {
    expect([task.status.state, remote.state()]).toEqual(['TASK_STATE_CANCELED', 'CANCELED'])
    expect(remote.accepted.map(textOf)).toEqual(['Please review this.'])
  }))
