// What the states allow: messages only to a task that waits, one end for each, and a history of what was said.
import { textOf } from '@a2a-kit/task-core'
import type { Task } from '@a2a-kit/task-core/protocol'
import { describe, expect, test } from 'vitest'
import { bindings, userMessage } from './support/probe.ts'
import { expectRefusal, waysToSend } from './support/refusals.ts'
import { get, send } from './support/send.ts'
import { shareProbe } from './support/shared-probe.ts'
import { allFrames, type Frame, framesUntil } from './support/sse.ts'
import { untilState } from './support/wait.ts'

const shared = shareProbe()
const stateIn = ({ task, statusUpdate }: Frame) => (task ?? statusUpdate)?.status.state

const ends: [state: string, script: string][] = [
  ['TASK_STATE_COMPLETED', 'artifact a b; complete done'],
  ['TASK_STATE_FAILED', 'fail no'],
  ['TASK_STATE_CANCELED', 'ask what?'],
  ['TASK_STATE_REJECTED', 'reject no'],
]

describe.each(waysToSend)('$operation over $binding', ({ binding, operation }) => {
  const blocking = (text: string, more: object = {}) =>
    send(shared.probe, { binding, operation: 'SendMessage' }, { message: userMessage(text, more) })
  const call = (message: object) => shared.probe.call(binding, operation, { message })

  test.each(ends)(
    'SEND-TO-FINISHED: a task in %s takes no message, and stays as it is [CORE-SEND-002]',
    async (state, script) => {
      const { id } = await blocking(script)
      if (state === 'TASK_STATE_CANCELED') await shared.probe.call(binding, 'CancelTask', { id })
      const task = await get(shared.probe, id)
      expect(task.status.state).toBe(state)
      await shared.changesNothing(async () => {
        const answer = await call(userMessage('again', { taskId: id }))
        expectRefusal(answer, binding, 'UNSUPPORTED_OPERATION')
        expect(answer.error!.message).toContain(state)
        expect(await get(shared.probe, id)).toEqual(task)
      })
    },
  )

  test.each([
    ['TASK_STATE_SUBMITTED', 'sleep 600000'],
    ['TASK_STATE_WORKING', 'working; sleep 600000'],
  ])('DOUBLE-ANSWER: a task in %s takes no message, and nothing of it is kept', async (state, script) => {
    const message = userMessage(script)
    const stream = await shared.probe.stream(binding, 'SendStreamingMessage', { message })
    const { id } = (await framesUntil(stream, state))[0]!.task!
    await shared.changesNothing(async () => {
      const answer = await call(userMessage('hello', { taskId: id }))
      expectRefusal(answer, binding, 'UNSUPPORTED_OPERATION')
    })
    const { result } = await shared.probe.call(binding, 'CancelTask', { id })
    expect(result.history).toHaveLength(1)
    stream.close()
  })
})

describe.each(bindings)('over %s', (binding) => {
  const call = (operation: string, params: object) => shared.probe.call(binding, operation, params)
  const blocking = (text: string, more: object = {}) =>
    send(shared.probe, { binding, operation: 'SendMessage' }, { message: userMessage(text, more) })

  test('DOUBLE-ANSWER: of two answers at once one is taken, fifty times', async () => {
    const configuration = { returnImmediately: true }
    for (let round = 0; round < 50; round += 1) {
      const { id } = await blocking('ask what?; sleep 600000')
      const both = ['main', 'develop'].map((text) => userMessage(text, { taskId: id }))
      const over = [binding, bindings[round % bindings.length]!] as const
      const answers = await Promise.all(
        both.map((message, nth) => shared.probe.call(over[nth]!, 'SendMessage', { message, configuration })),
      )
      const [refused, ...others] = answers.filter(({ error }) => error)
      expect(others).toEqual([])
      expectRefusal(refused!, over[answers.indexOf(refused!)]!, 'UNSUPPORTED_OPERATION')
      const taken = textOf(both[answers.findIndex(({ result }) => result)])
      const { result } = await call('CancelTask', { id })
      const said = (result as Task).history!.map((message) => textOf(message))
      expect(said).toEqual(['ask what?; sleep 600000', 'what?', taken])
      expect((result as Task).artifacts!.map((artifact) => textOf(artifact))).toEqual([taken])
    }
  })

  test('the history has what was said, in order: questions once they are answered, no progress [CORE-HIST-004] [CORE-HIST-005]', async () => {
    const texts = ({ history }: Task) => history!.map((message) => textOf(message))
    const script = 'working on it; ask one; working again; authorize deploy; complete bye'
    const first = await blocking(script)
    expect(texts(first)).toEqual([script])
    const { id } = first
    const second = await blocking('answer', { taskId: id })
    expect(texts(second)).toEqual([script, 'one', 'answer'])
    const request = textOf(second.status.message)
    const third = await blocking('why?', { taskId: id })
    expect(texts(third)).toEqual([script, 'one', 'answer', request, 'why?'])
    const stream = await shared.probe.stream(binding, 'SubscribeToTask', { id })
    await fetch(`${shared.probe.url}/approve/${id}`, { method: 'POST' })
    await allFrames(stream)
    const last = await get(shared.probe, id, binding)
    expect(texts(last)).toEqual(texts(third))
    expect(textOf(last.status.message)).toBe('bye')
    expect(last.history!.map(({ role }) => role)).toEqual([
      'ROLE_USER',
      'ROLE_AGENT',
      'ROLE_USER',
      'ROLE_AGENT',
      'ROLE_USER',
    ])
    expect(new Set(last.history!.map(({ messageId }) => messageId)).size).toBe(5)
  })

  test('CANCEL-CODES: a cancel that comes again is TaskNotCancelable, and changes nothing [CORE-CANCEL-002]', async () => {
    const { id } = await blocking('ask what?')
    expect((await call('CancelTask', { id })).result.status.state).toBe('TASK_STATE_CANCELED')
    await shared.changesNothing(async () => {
      expectRefusal(await call('CancelTask', { id }), binding, 'TASK_NOT_CANCELABLE')
    })
  })

  test.each(['complete', 'fail', 'reject', 'throw'])(
    'CANCEL-CODES: after "%s" a task is not cancelable [CORE-CANCEL-002]',
    async (script) => {
      const { id } = await blocking(script)
      await shared.changesNothing(async () => {
        expectRefusal(await call('CancelTask', { id }), binding, 'TASK_NOT_CANCELABLE')
      })
    },
  )

  test('CANCEL-CODES: a cancel of an unknown task is TaskNotFound [CORE-CANCEL-003]', async () => {
    await shared.changesNothing(async () => {
      expectRefusal(await call('CancelTask', { id: 'unknown' }), binding, 'TASK_NOT_FOUND')
    })
  })

  test('CANCEL-CODES: of twenty cancels at once each gives the canceled task, or comes too late', async () => {
    const { id } = await blocking('ask what?')
    const answers = await Promise.all(Array.from({ length: 20 }, () => call('CancelTask', { id })))
    const task = await get(shared.probe, id, binding)
    expect(task.status.state).toBe('TASK_STATE_CANCELED')
    const canceled = answers.filter(({ result }) => result)
    expect(canceled.length).toBeGreaterThan(0)
    for (const { result } of canceled) expect(result).toEqual(task)
    for (const answer of answers.filter(({ error }) => error)) {
      expectRefusal(answer, binding, 'TASK_NOT_CANCELABLE')
    }
  })

  test.each([
    ['in the middle of a step', 'working; sleep 60000', 'TASK_STATE_WORKING'],
    ['while it asks', 'ask what?', 'TASK_STATE_INPUT_REQUIRED'],
    ['while it waits for an approval', 'authorize deploy', 'TASK_STATE_AUTH_REQUIRED'],
    ['when it was just made', 'sleep 600000', 'TASK_STATE_SUBMITTED'],
  ])(
    'CANCEL-WITHOUT-TERMINAL: a cancel %s ends the task and its streams [CORE-CANCEL-001]',
    async (_, script, state) => {
      const configuration = { returnImmediately: true }
      const { result } = await call('SendMessage', { message: userMessage(script), configuration })
      const { id } = result.task
      const stream = await shared.probe.stream(binding, 'SubscribeToTask', { id })
      const before = await framesUntil(stream, state)
      const { result: canceled } = await call('CancelTask', { id, metadata: { why: 'test' } })
      expect(canceled.status).toMatchObject({ state: 'TASK_STATE_CANCELED', message: { role: 'ROLE_AGENT' } })
      expect(canceled.status.timestamp >= before[0]!.task!.status.timestamp!).toBe(true)
      const [end, ...more] = await allFrames(stream)
      expect([end!.statusUpdate!.status, more]).toEqual([canceled.status, []])
      expect(await get(shared.probe, id, binding)).toEqual(canceled)
    },
  )

  test.each([
    ['before anything', 'throw secret', 0],
    ['after working', 'working; throw secret', 0],
    ['after an artifact', 'working; artifact a b; throw secret', 1],
    ['after an answer', 'ask what?; throw secret', 1],
  ])('THROW-LEAVES-WORKING: an agent that throws %s leaves its task FAILED', async (_, script, artifacts) => {
    let task = await blocking(script)
    if (task.status.state === 'TASK_STATE_INPUT_REQUIRED') task = await blocking('this', { taskId: task.id })
    expect(task.status.state).toBe('TASK_STATE_FAILED')
    expect(task.artifacts ?? []).toHaveLength(artifacts)
    expect(textOf(task.status.message)).toMatch(
      /^The agent failed\. Its log explains it under reference [0-9a-f-]+\.$/,
    )
    const message = userMessage(script)
    let frames = await allFrames(await shared.probe.stream(binding, 'SendStreamingMessage', { message }))
    const { id } = frames[0]!.task!
    if (stateIn(frames.at(-1)!) === 'TASK_STATE_INPUT_REQUIRED') {
      const params = { message: userMessage('this', { taskId: id }) }
      frames = await allFrames(await shared.probe.stream(binding, 'SendStreamingMessage', params))
    }
    expect(stateIn(frames.at(-1)!)).toBe('TASK_STATE_FAILED')
    expect(await get(shared.probe, id)).toMatchObject({ status: frames.at(-1)!.statusUpdate!.status })
  })

  test.each(['throw secret', 'working; throw secret', 'working; artifact a b; throw secret'])(
    'THROW-LEAVES-WORKING: nobody has to watch for "%s" to leave its task FAILED',
    async (script) => {
      const configuration = { returnImmediately: true }
      const { result } = await call('SendMessage', { message: userMessage(script), configuration })
      expect((await untilState(shared.probe, result.task.id, 'FAILED')).status.message).toBeDefined()
    },
  )

  test.each([
    ['fail no such build', 'TASK_STATE_FAILED', 'no such build'],
    ['reject not on a Friday', 'TASK_STATE_REJECTED', 'not on a Friday'],
    ['complete all good', 'TASK_STATE_COMPLETED', 'all good'],
    ['nonsense', 'TASK_STATE_FAILED', expect.stringContaining('"nonsense" is not a command')],
  ])('"%s" ends the task in %s with the words of the agent', async (script, state, words) => {
    const { status } = await blocking(script)
    expect([status.state, textOf(status.message)]).toEqual([state, words])
  })
})
