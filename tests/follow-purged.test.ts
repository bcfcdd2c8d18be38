// `follow` when the other agent does not know its task any more, since what is finished is kept for a time only.
import { textOf } from '@a2a-kit/task-core'
import { describe, expect, test } from 'vitest'
import { fakeRemote } from './support/fake-remote.ts'
import { followedIn, started } from './support/following.ts'
import { answer, says } from './support/talk.ts'
import { until, untilState } from './support/wait.ts'

const first = 'Please review this.'

describe('a followed task that was purged', () => {
  test('while this agent was away is begun again, and the new one refers to it', async () => {
    const { remote, probe, id, restarted } = await started()
    remote.ask('Which branch?')
    await untilState(probe, id, 'INPUT_REQUIRED')
    await probe.close()
    remote.work()
    remote.end('COMPLETED', 'Nobody has seen this.')
    remote.forget()
    const after = await restarted()
    await until('the second message', () => remote.accepted[1])
    remote.end('COMPLETED', 'well')
    const followed = followedIn(await untilState(after, id, 'COMPLETED'))
    expect(followed.task).toMatchObject({ id: 'remote-task-1', status: { state: 'TASK_STATE_COMPLETED' } })
    const [one, two] = remote.accepted
    expect([one, two].map((message) => textOf(message))).toEqual([first, first])
    expect([one!.referenceTaskIds, two!.referenceTaskIds]).toEqual([undefined, ['remote-task']])
    expect(two!.messageId).not.toBe(one!.messageId)
    expect([two!.taskId, two!.contextId]).toEqual([undefined, undefined])
  })

  test('while its question was mirrored takes the question back, and asks what the new one asks', async () => {
    const { remote, probe, id } = await started()
    remote.ask('Which branch?')
    await untilState(probe, id, 'INPUT_REQUIRED')
    remote.forget()
    await until('the second message', () => remote.accepted[1])
    await untilState(probe, id, 'WORKING')
    remote.ask('Which branch, please?')
    expect(says(await untilState(probe, id, 'INPUT_REQUIRED'))).toContain('Which branch, please?')
    await answer(probe, id, 'main')
    await until('the answer', () => remote.accepted[2])
    expect(remote.accepted[2]).toMatchObject({ taskId: 'remote-task-1', parts: [{ text: 'main' }] })
    remote.end('COMPLETED')
    const { asked } = followedIn(await untilState(probe, id, 'COMPLETED'))
    expect(asked.map((one) => [one.answeredBy, one.answer])).toEqual([
      ['outside', undefined],
      ['caller', 'main'],
    ])
  })

  test('when the answer came is begun again, and that answer goes to no other question', async () => {
    const { remote, probe, id, restarted } = await started()
    remote.ask('Which branch?')
    await untilState(probe, id, 'INPUT_REQUIRED')
    const { sendMessage } = remote.agent
    remote.agent.sendMessage = (message, options) => {
      if (message.taskId !== undefined) {
        remote.agent.sendMessage = sendMessage
        remote.forget()
      }
      return sendMessage(message, options)
    }
    await answer(probe, id, 'main')
    await until('the second first message', () => remote.accepted[1])
    remote.ask('Which branch?')
    await untilState(probe, id, 'INPUT_REQUIRED')
    expect(remote.accepted.map(textOf)).toEqual([first, first])
    const after = await restarted()
    await answer(after, id, 'main again')
    await until('the answer', () => remote.accepted[2])
    remote.end('COMPLETED')
    await untilState(after, id, 'COMPLETED')
    expect(remote.accepted.map(textOf)).toEqual([first, first, 'main again'])
  })

  test('time and again is given up, with the reason', async () => {
    const remote = fakeRemote()
    const { probe, id } = await started(remote)
    for (const nth of [1, 2, 3]) {
      remote.ask(`Question ${nth}?`)
      await until('the question', async () =>
        says(await untilState(probe, id, 'INPUT_REQUIRED', 'WORKING')).includes(`${nth}?`),
      )
      remote.forget()
      await until('another first message', () => remote.accepted[nth])
    }
    expect(remote.accepted[3]!.referenceTaskIds).toEqual(['remote-task', 'remote-task-1', 'remote-task-2'])
    remote.ask('Question 4?')
    await untilState(probe, id, 'INPUT_REQUIRED')
    remote.forget()
    expect(says(await untilState(probe, id, 'FAILED'))).toMatch(/^reviewer: The task does not exist/)
    expect(remote.accepted).toHaveLength(4)
  })
})
