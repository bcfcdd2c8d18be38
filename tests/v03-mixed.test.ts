// One task, clients of both versions: what one starts the other watches, answers and cancels.
import { describe, expect, test } from 'vitest'
import { operate } from './support/operator.ts'
import { bindings, startProbe, userMessage } from './support/probe.ts'
import { allFrames, framesUntil } from './support/sse.ts'
import { bindings03, talk03 } from './support/v03.ts'

const pairs = bindings.flatMap((binding) => bindings03.map(([name, make]) => [binding, name, make] as const))

describe.each(pairs)('1.0 over %s and 0.3 over %s', (binding, _, make) => {
  const start = async () => {
    const probe = await startProbe()
    return { probe, old: make(talk03(`${probe.url}/a2a`)) }
  }

  test('a task of a 0.3 client is watched to its end by a 1.0 client, through both waits', async () => {
    const { probe, old } = await start()
    const { task } = await old.send('ask Which branch?; authorize it; complete done')
    const watch = await probe.stream(binding, 'SubscribeToTask', { id: task.id })
    const first = await framesUntil(watch, 'TASK_STATE_INPUT_REQUIRED')
    expect(first[0]!.task!.history![0]).toMatchObject({
      role: 'ROLE_USER',
      parts: [{ text: expect.any(String) }],
    })
    await old.send('main', { taskId: task.id })
    await framesUntil(watch, 'TASK_STATE_AUTH_REQUIRED')
    await operate(probe, 'approve', task.id)
    const rest = await allFrames(watch)
    expect(rest.at(-1)!.statusUpdate!.status.state).toBe('TASK_STATE_COMPLETED')
  })

  test('a task of a 1.0 client is watched, answered and read by a 0.3 client', async () => {
    const { probe, old } = await start()
    const message = userMessage('ask Which branch?; artifact out text', {
      parts: [{ text: 'ask Which branch?; artifact out text' }, { data: [1, null] }, { text: '' }],
    })
    const { result } = await probe.call(binding, 'SendMessage', { message })
    const states: string[] = []
    for await (const { task, status } of old.subscribe(result.task.id)) {
      if (task) await old.send('main', { taskId: task.id }, { blocking: false })
      const now = (task ?? status)?.status.state
      if (now) states.push(now)
    }
    expect(states).toEqual(['INPUT_REQUIRED', 'WORKING', 'COMPLETED'].map(old.state))
    const { task } = await old.get(result.task.id)
    expect(task.history[0].parts ?? task.history[0].content).toHaveLength(3)
    const after = await probe.call(binding, 'GetTask', { id: task.id })
    expect(after.result.history[0].parts).toEqual(message.parts)
    expect(after.result.history[2].parts).toEqual([{ text: 'main' }])
  })

  test('the same message from both is the same task, and either may cancel it', async () => {
    const { probe, old } = await start()
    const { task } = await old.send('sleep 60000', { messageId: 'm' }, { blocking: false })
    const { result } = await probe.call(binding, 'SendMessage', {
      message: userMessage('sleep 60000', { messageId: 'm' }),
      configuration: { returnImmediately: true },
    })
    expect(result.task.id).toBe(task.id)
    expect((await probe.call(binding, 'CancelTask', { id: task.id })).result.status.state).toBe(
      'TASK_STATE_CANCELED',
    )
    expect((await old.get(task.id)).task.status.state).toBe(old.state('CANCELED'))
  })
})
