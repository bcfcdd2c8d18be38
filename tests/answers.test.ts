// What comes back: how soon, how much of the history, in which names.
import { describe, expect, test } from 'vitest'
import { isSayable } from './support/grpc.ts'
import { bindings, userMessage } from './support/probe.ts'
import { expectRefusal, waysToSend } from './support/refusals.ts'
import { get, send } from './support/send.ts'
import { shareProbe } from './support/shared-probe.ts'
import { allFrames } from './support/sse.ts'

const shared = shareProbe()

const textsOf = (task: { history?: { parts: { text?: string }[] }[] }) =>
  task.history?.map(({ parts }) => parts[0]!.text)

describe.each(bindings)('over %s', (binding) => {
  /** Those of `values` that the binding can say as the field `name` of a list's parameters. */
  const sayable = <T>(name: string, values: T[]): T[] =>
    values.filter((value) => isSayable(binding, 'ListTasks', { [name]: value }))

  const blocking = { binding, operation: 'SendMessage' } as const
  const call = (operation: string, params: object) => shared.probe.call(binding, operation, params)

  test('RETURN-IMMEDIATELY: true gives the task as it was made, before anything is done', async () => {
    const configuration = { returnImmediately: true }
    const { result } = await call('SendMessage', { message: userMessage('sleep 600000'), configuration })
    expect(result.task.status.state).toBe('TASK_STATE_SUBMITTED')
    const { id } = result.task
    await call('CancelTask', { id })
  })

  test('RETURN-IMMEDIATELY: true gives an answered task as working, without its old question', async () => {
    const { id } = await send(shared.probe, blocking, { message: userMessage('ask what?; sleep 600000') })
    const configuration = { returnImmediately: true }
    const message = userMessage('this', { taskId: id })
    const { result } = await call('SendMessage', { message, configuration })
    expect(result.task.status).toEqual({ state: 'TASK_STATE_WORKING', timestamp: expect.any(String) })
    await call('CancelTask', { id })
  })

  const blocks: [string, object][] = [
    ['false', { returnImmediately: false }],
    ['absent', {}],
    ['null', { returnImmediately: null }],
    ['asked for by its old, inverted name', { blocking: false }],
  ]
  const sayableOnes = blocks.filter(([, configuration]) =>
    isSayable(binding, 'SendMessage', { configuration }),
  )
  test.each(sayableOnes)('RETURN-IMMEDIATELY: %s waits for the end', async (_, configuration) => {
    const { result } = await call('SendMessage', {
      message: userMessage('working; sleep 30; artifact a b; complete done'),
      configuration,
    })
    expect(result.task.status.state).toBe('TASK_STATE_COMPLETED')
    expect(result.task.artifacts).toHaveLength(1)
  })

  test('RETURN-IMMEDIATELY: a stream runs to its end all the same', async () => {
    const message = userMessage('working; complete done')
    const configuration = { returnImmediately: true }
    const stream = await shared.probe.stream(binding, 'SendStreamingMessage', { message, configuration })
    expect((await allFrames(stream)).at(-1)!.statusUpdate!.status.state).toBe('TASK_STATE_COMPLETED')
  })

  test.each([[{}], [{ returnImmediately: true }]])(
    'RETURN-IMMEDIATELY: a message is answered by a message, and no task: %o [CORE-SEND-001] [CORE-STREAM-002]',
    async (configuration) => {
      await shared.changesNothing(async () => {
        const message = userMessage('reply Hello.', { contextId: 'talk' })
        const { result } = await call('SendMessage', { message, configuration })
        const expected = {
          message: {
            messageId: expect.any(String),
            contextId: 'talk',
            role: 'ROLE_AGENT',
            parts: [{ text: 'Hello.' }],
          },
        }
        expect(result).toEqual(expected)
        const stream = await shared.probe.stream(binding, 'SendStreamingMessage', { message, configuration })
        expect(await allFrames(stream)).toEqual([{ id: undefined, ...expected }])
      })
    },
  )

  test('a message that is answered by a message gets a context of its own [CORE-MULTI-001] [CORE-MULTI-001a]', async () => {
    const { result } = await call('SendMessage', { message: userMessage('reply Hello.') })
    expect(result.message.contextId).toMatch(/^[0-9a-f-]{36}$/)
  })

  test.each([
    [undefined, ['ask what?', 'what?', 'this']],
    [0, undefined],
    [1, ['this']],
    [2, ['what?', 'this']],
    [3, ['ask what?', 'what?', 'this']],
    [99, ['ask what?', 'what?', 'this']],
    ['1', ['this']],
    ['2e0', ['what?', 'this']],
    [null, ['ask what?', 'what?', 'this']],
  ])('HISTORY-LENGTH: %j gives the newest in order, and shortens nothing', async (given, texts) => {
    const asked = await send(shared.probe, blocking, { message: userMessage('ask what?') })
    const { id, contextId } = await send(shared.probe, blocking, {
      message: userMessage('this', { taskId: asked.id }),
    })
    // A query has no null.
    const historyLength = given === null && binding === 'HTTP+JSON' ? undefined : given
    const params = historyLength === undefined ? {} : { historyLength }
    const { result: task } = await call('GetTask', { id, ...params })
    expect(textsOf(task)).toEqual(texts)
    expect('history' in task).toBe(texts !== undefined)
    const { result: list } = await call('ListTasks', { contextId, ...params })
    expect(textsOf(list.tasks[0])).toEqual(texts)
    expect(textsOf(await get(shared.probe, id, binding))).toHaveLength(3)
  })

  test.each([
    [0, undefined],
    [1, ['this']],
    [2, ['what?', 'this']],
    [99, ['ask what?', 'what?', 'this']],
  ])('HISTORY-LENGTH: %j in the configuration of a message', async (historyLength, texts) => {
    const { id } = await send(shared.probe, blocking, { message: userMessage('ask what?') })
    const message = userMessage('this', { taskId: id })
    const { result } = await call('SendMessage', { message, configuration: { historyLength } })
    expect(textsOf(result.task)).toEqual(texts)
    expect('history' in result.task).toBe(texts !== undefined)
    expect(textsOf(await get(shared.probe, id, binding))).toHaveLength(3)
  })

  test.each(sayable('historyLength', [-1, 1.5, '1.5', 'x', true]))(
    'HISTORY-LENGTH: %j is refused',
    async (historyLength) => {
      const { id } = await send(shared.probe, blocking, { message: userMessage('complete') })
      for (const [operation, params] of [
        ['GetTask', { id }],
        ['ListTasks', {}],
      ] as const) {
        const answer = await call(operation, { ...params, historyLength })
        expectRefusal(answer, binding, 'INVALID_PARAMS', ['historyLength'])
      }
    },
  )

  test('ENUM-FORMS: a list can be filtered by the name and by the number of a state', async () => {
    const { id } = await send(shared.probe, blocking, { message: userMessage('reject no') })
    for (const status of sayable('status', ['TASK_STATE_REJECTED', 7, '7'])) {
      const { result } = await call('ListTasks', { status })
      expect(result.tasks[0].id).toBe(id)
      expect(result.tasks.every((task: typeof result) => task.status.state === 'TASK_STATE_REJECTED')).toBe(
        true,
      )
    }
  })

  const none = [
    'working',
    'task_state_working',
    'WORKING',
    'TASK_STATE_CANCELLED',
    'TASK_STATE_RUNNING',
    9,
    -1,
    1.5,
    'constructor',
    '__proto__',
    'length',
  ]
  test.each(sayable('status', none))(
    'ENUM-FORMS: a list cannot be filtered by the state %j',
    async (status) => {
      expectRefusal(await call('ListTasks', { status }), binding, 'INVALID_PARAMS', ['status'])
    },
  )
})

/** Every key and every string of `value`. */
function* strings(value: unknown): Generator<{ key?: string; text?: string }> {
  if (typeof value === 'string') yield { text: value }
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    if (!Array.isArray(value)) yield { key }
    yield* strings(inner)
  }
}

test.each(waysToSend)(
  'ENUM-FORMS: what $operation answers over $binding has the names of the proto [DM-SERIAL-001] [DM-SERIAL-002] [DM-SERIAL-003]',
  async (way) => {
    const { probe } = shared
    const { binding } = way
    const outputs: unknown[] = []
    for (const text of ['working; chunks 3; ask', 'complete', 'fail', 'reject', 'throw', 'reply hello']) {
      const params = { message: userMessage(text, { metadata: { a: 1 } }) }
      if (way.operation === 'SendMessage') outputs.push(await probe.call(binding, 'SendMessage', params))
      else outputs.push(await allFrames(await probe.stream(binding, way.operation, params)))
    }
    outputs.push(await probe.call(binding, 'ListTasks', { includeArtifacts: true }))
    const { result } = await probe.call(binding, 'SendMessage', { message: userMessage('ask what?') })
    const { id } = result.task
    const config = { taskId: id, id: 'mine' }
    const url = 'https://client.example/hook'
    for (const [name, params] of [
      ['CreateTaskPushNotificationConfig', { ...config, url }],
      ['GetTaskPushNotificationConfig', config],
      ['ListTaskPushNotificationConfigs', { taskId: id }],
      ['GetTask', { id }],
      ['GetTask', { id: 'none' }],
      ['CancelTask', { id }],
    ] as const) {
      outputs.push((await probe.call(binding, name, params)).result)
    }
    outputs.push(await (await fetch(`${probe.url}/.well-known/agent-card.json`)).json())
    for (const { key, text } of outputs.flatMap((output) => [...strings(output)])) {
      expect(key ?? '').toMatch(/^[a-z]*([A-Z][a-z]+)*$/)
      expect(key).not.toBe('kind')
      expect(text ?? '').not.toMatch(/^(submitted|working|completed|failed|canceled|rejected|user|agent)$/i)
    }
    const timestamps = JSON.stringify(outputs).match(/"timestamp":"[^"]*"/g)!
    for (const timestamp of timestamps) {
      expect(timestamp).toMatch(/^"timestamp":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"$/)
    }
    expect(JSON.stringify(outputs)).not.toContain(':null')
  },
)
