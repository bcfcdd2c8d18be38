// DUPLICATE-MESSAGEID: a message that comes again is the same message (§3.3.1), whatever became of its task meanwhile.
import { describe, expect, test } from 'vitest'
import { bindings, startProbe, userMessage } from './support/probe.ts'
import { expectRefusal, waysToSend } from './support/refusals.ts'
import { get, send } from './support/send.ts'
import { shareProbe } from './support/shared-probe.ts'
import { allFrames, framesUntil } from './support/sse.ts'

const shared = shareProbe()

describe.each(waysToSend)('DUPLICATE-MESSAGEID: $operation over $binding', (way) => {
  const { binding, operation } = way
  const sent = (message: object) => send(shared.probe, way, { message })
  const call = (message: object) => shared.probe.call(binding, operation, { message })

  test('a repeat after the end gives the task as it ended, and runs nothing', async () => {
    const message = userMessage('artifact a b; complete done')
    const task = await sent(message)
    await shared.changesNothing(async () => {
      expect(await sent(message)).toEqual(task)
    })
  })

  test.each(bindings)('a repeat over %s is the same message', async (other) => {
    const message = userMessage('complete done')
    const task = await sent(message)
    expect(await send(shared.probe, { binding: other, operation: 'SendMessage' }, { message })).toEqual(task)
  })

  test('many at once make one task, and each gets it', async () => {
    const message = userMessage('working; sleep 20; complete done')
    const tasks = await Promise.all(Array.from({ length: 8 }, () => sent(message)))
    expect(new Set(tasks.map((task) => JSON.stringify(task))).size).toBe(1)
    expect(tasks[0]!.status.state).toBe('TASK_STATE_COMPLETED')
    const { result } = await shared.probe.call(binding, 'ListTasks', { contextId: tasks[0]!.contextId })
    expect(result.totalSize).toBe(1)
  })

  test('a repeat while the task waits gives its question again, and answers nothing', async () => {
    const message = userMessage('ask Which branch?')
    const asked = await sent(message)
    await shared.changesNothing(async () => {
      expect(await sent(message)).toEqual(asked)
    })
    expect(asked.status.state).toBe('TASK_STATE_INPUT_REQUIRED')
  })

  test('an answer that comes twice answers one question, not the next', async () => {
    const { id } = await sent(userMessage('ask one; ask two'))
    const answer = userMessage('first answer', { taskId: id })
    const asksAgain = await sent(answer)
    expect(asksAgain.status.message!.parts).toEqual([{ text: 'two' }])
    await shared.changesNothing(async () => {
      expect(await sent(answer)).toEqual(asksAgain)
    })
    const ended = await sent(userMessage('second answer', { taskId: id }))
    expect(await sent(answer)).toEqual(ended)
    const texts = ended.history!.map(({ parts }) => parts[0]!.text)
    expect(texts).toEqual(['ask one; ask two', 'one', 'first answer', 'two', 'second answer'])
  })

  test('a message while an approval is awaited is noted once', async () => {
    const stream = await shared.probe.stream(binding, 'SendStreamingMessage', {
      message: userMessage('authorize deploy'),
    })
    const id = (await framesUntil(stream, 'TASK_STATE_AUTH_REQUIRED'))[0]!.task!.id
    const note = userMessage('wrong region', { taskId: id })
    const blocking = { binding, operation: 'SendMessage' as const }
    const noted = await send(shared.probe, blocking, { message: note })
    await shared.changesNothing(async () => {
      expect(await send(shared.probe, blocking, { message: note })).toEqual(noted)
    })
    expect(noted.artifacts).toHaveLength(1)
    await shared.probe.call(binding, 'CancelTask', { id })
    stream.close()
  })

  test.each([
    ['another text', { parts: [{ text: 'complete other' }] }],
    ['another part', { parts: [{ text: 'complete' }, { text: '' }] }],
    ['metadata', { metadata: { a: 1 } }],
    ['a contextId', { contextId: 'another' }],
    ['a taskId', { taskId: 'another' }],
    ['references', { referenceTaskIds: ['another'] }],
  ])('the same messageId with %s is refused, and the first stands', async (_, more) => {
    const message = userMessage('complete')
    const task = await sent(message)
    await shared.changesNothing(async () => {
      expectRefusal(await call({ ...message, ...more }), binding, 'INVALID_PARAMS', ['message.messageId'])
    })
    expect(await get(shared.probe, task.id, binding)).toEqual(task)
  })

  if (binding !== 'GRPC') {
    test('the same message in another form is no other message', async () => {
      const message = userMessage('complete')
      const task = await sent(message)
      const { messageId: message_id, parts } = message
      expect(await sent({ parts, role: 1, message_id, context_id: null, unknown: true })).toEqual(task)
    })
  }

  test('a message that was refused may be sent again, mended, under the same id', async () => {
    const message = userMessage('main', { taskId: 'unknown' })
    expectRefusal(await call(message), binding, 'TASK_NOT_FOUND')
    const { id } = await sent(userMessage('ask Which branch?'))
    const ended = await sent({ ...message, taskId: id })
    expect(ended.status.state).toBe('TASK_STATE_COMPLETED')
  })

  test('another configuration makes it no other message', async () => {
    const message = userMessage('complete')
    const task = await sent(message)
    const params = { message, configuration: { historyLength: 0, acceptedOutputModes: ['text/plain'] } }
    expect((await send(shared.probe, way, params)).id).toBe(task.id)
  })
})

describe.each(bindings)('over %s', (binding) => {
  test('DUPLICATE-MESSAGEID: the same message from another caller is another message', async () => {
    const callerTokens = { ada: 'ada-has-a-long-token', bob: 'bob-has-a-long-token' }
    const probe = await startProbe({ callerTokens })
    const message = userMessage('complete')
    const sendAs = async (token: string) => {
      const headers = { authorization: `Bearer ${token}` }
      return (await probe.call(binding, 'SendMessage', { message }, headers)).result.task.id
    }
    const first = await sendAs(callerTokens.ada)
    expect(await sendAs(callerTokens.bob)).not.toBe(first)
    expect(await sendAs(callerTokens.ada)).toBe(first)
  })

  test('DUPLICATE-MESSAGEID: a streaming repeat joins the task where it is, and sees its end', async () => {
    const message = userMessage('working; authorize deploy; artifact a b')
    const first = await shared.probe.stream(binding, 'SendStreamingMessage', { message })
    const seen = await framesUntil(first, 'TASK_STATE_AUTH_REQUIRED')
    const second = await shared.probe.stream(binding, 'SendStreamingMessage', { message })
    const [joined] = await framesUntil(second, 'TASK_STATE_AUTH_REQUIRED')
    expect(joined!.id).toBe(seen.at(-1)!.id)
    expect(joined!.task!.id).toBe(seen[0]!.task!.id)
    await fetch(`${shared.probe.url}/approve/${joined!.task!.id}`, { method: 'POST' })
    const rest = await allFrames(first)
    expect(await allFrames(second)).toEqual(rest)
    expect(rest.at(-1)!.statusUpdate!.status.state).toBe('TASK_STATE_COMPLETED')
  })

  test('DUPLICATE-MESSAGEID: a streaming repeat after the end is one frame, the task', async () => {
    const message = userMessage('working; complete done')
    const frames = await allFrames(await shared.probe.stream(binding, 'SendStreamingMessage', { message }))
    const again = await allFrames(await shared.probe.stream(binding, 'SendStreamingMessage', { message }))
    expect(again).toEqual([{ id: '3', task: await get(shared.probe, frames[0]!.task!.id, binding) }])
    expect(again[0]!.task!.status.state).toBe('TASK_STATE_COMPLETED')
  })

  test('DUPLICATE-MESSAGEID: a repeat that returns immediately shows the task as it is now', async () => {
    const message = userMessage('complete done')
    const configuration = { returnImmediately: true }
    const { result } = await shared.probe.call(binding, 'SendMessage', { message, configuration })
    expect(result.task.status.state).toBe('TASK_STATE_SUBMITTED')
    const ended = await send(shared.probe, { binding, operation: 'SendMessage' }, { message })
    const { result: again } = await shared.probe.call(binding, 'SendMessage', { message, configuration })
    expect(again.task).toEqual(ended)
  })
})
