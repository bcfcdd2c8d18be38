import { expect, test } from 'vitest'
import { bindings, startProbe, userMessage } from './support/probe.ts'
import { allFrames } from './support/sse.ts'

test.each(bindings)('a task can be asked for, streamed and read over %s', async (binding) => {
  const probe = await startProbe()
  const { result } = await probe.call(binding, 'SendMessage', { message: userMessage('complete hello') })
  expect(result.task.status.state).toBe('TASK_STATE_COMPLETED')
  const stream = await probe.stream(binding, 'SendStreamingMessage', {
    message: userMessage('working; artifact a b'),
  })
  const frames = await allFrames(stream)
  expect(frames.map(({ id }) => id)).toEqual(['1', '2', '3', '4'])
  const again = await probe.call(binding, 'GetTask', { id: frames[0]!.task!.id })
  expect(again.result.artifacts[0].parts).toEqual([{ text: 'b' }])
})
