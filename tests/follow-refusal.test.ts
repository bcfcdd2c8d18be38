import { A2AError, textOf } from '@a2a-kit/task-core/protocol'
import { expect, test } from 'vitest'
import { fakeRemote } from './support/fake-remote.ts'
import { followedIn, following } from './support/following.ts'
import { startProbe } from './support/probe.ts'
import { answer, begin, says } from './support/talk.ts'
import { until, untilState } from './support/wait.ts'

test('an answer that the other agent does not take is said to the caller, and the wait goes on for another one', async () => {
  const remote = fakeRemote()
  const probe = await startProbe({ agent: following(remote) })
  const id = await begin(probe)
  await until('the first message', () => remote.state())
  remote.ask('Which branch?')
  const first = await untilState(probe, id, 'INPUT_REQUIRED')
  const { sendMessage } = remote.agent
  remote.agent.sendMessage = async () => {
    remote.agent.sendMessage = sendMessage
    throw new A2AError('ContentTypeNotSupportedError', 'this agent takes text/plain.')
  }
  await answer(probe, id, 'a picture')
  const again = await until('the same wait again', async () => {
    const task = await untilState(probe, id, 'INPUT_REQUIRED')
    return task.status.message?.messageId === first.status.message?.messageId ? undefined : task
  })
  expect(says(again)).toBe(
    'reviewer did not take the message: "this agent takes text/plain." reviewer asks: "Which branch?"',
  )
  await answer(probe, id, 'main')
  await until('the answer', () => remote.accepted[1])
  expect(textOf(remote.accepted[1])).toBe('main')
  remote.end('COMPLETED')
  const { asked } = followedIn(await untilState(probe, id, 'COMPLETED'))
  expect(asked.map((one) => one.answer)).toEqual(['a picture', 'main'])
})
