// The core operations (§3.1 to §3.4), where the specification says more than the tests of single features hold.
import { textOf } from '@a2a-kit/task-core'
import type { Message, Task } from '@a2a-kit/task-core/protocol'
import { describe, expect, test } from 'vitest'
import { gate, testAgent } from './support/agent.ts'
import { type Binding, bindings, type Probe, startProbe, userMessage } from './support/probe.ts'
import { operations, requestOf } from './support/raw.ts'
import { expectRefusal } from './support/refusals.ts'
import { shareProbe } from './support/shared-probe.ts'
import { until, untilState } from './support/wait.ts'

const shared = shareProbe()

const talking = (probe: Probe, binding: Binding) => async (operation: string, params: object) => {
  const { result, error } = await probe.call(binding, operation, params)
  if (error) throw new Error(error.message)
  return result
}

describe.each(bindings)('over %s', (binding) => {
  const call = (operation: string, params: object) => talking(shared.probe, binding)(operation, params)

  test('GetTask gives status, artifacts and history as they are now, at every turn [CORE-GET-001]', async () => {
    const [first, second] = [gate(), gate()]
    const agent = testAgent(async (task) => {
      await task.working('at it')
      await task.step('first', first.pass)
      await task.artifact({ name: 'a', text: 'one' })
      await task.ask('What?')
      await task.step('second', second.pass)
      await task.artifact({ name: 'b', text: 'two' })
      return 'done'
    })
    const ask = talking(await startProbe({ agent }), binding)
    const configuration = { returnImmediately: true }
    const sent = async (more: object) =>
      (await ask('SendMessage', { message: userMessage('go', more), configuration })).task as Task
    const { id } = await sent({})
    const now = async () => {
      const task: Task = await ask('GetTask', { id })
      const texts = [textOf(task.status.message), task.artifacts?.length, task.history?.length]
      return [task.status.state.replace('TASK_STATE_', ''), ...texts]
    }
    await first.entered
    expect(await now()).toEqual(['WORKING', 'at it', undefined, 1])
    first.open()
    await until('the question', async () => (await now())[0] === 'INPUT_REQUIRED')
    expect(await now()).toEqual(['INPUT_REQUIRED', 'What?', 1, 1])
    await sent({ taskId: id })
    await second.entered
    expect(await now()).toEqual(['WORKING', '', 1, 3])
    second.open()
    await until('the end', async () => (await now())[0] === 'COMPLETED')
    expect(await now()).toEqual(['COMPLETED', 'done', 2, 3])
  })

  test.each([
    ['COMPLETED', 'complete done'],
    ['FAILED', 'fail no'],
    ['REJECTED', 'reject no'],
    ['INPUT_REQUIRED', 'ask What?'],
    ['AUTH_REQUIRED', 'authorize cleanup'],
    ['CANCELED', 'sleep 600000'],
  ])(
    'a call that blocks returns in %s and not before, with all artifacts [CORE-EXECUTION-MODE-001]',
    async (state, end) => {
      const message = userMessage(`working; artifact a one; sleep 50; artifact b two; ${end}`)
      for (const configuration of [undefined, { returnImmediately: false }]) {
        const contextId = `${binding} ${state} ${configuration === undefined}`
        const answer = call('SendMessage', {
          message: { ...message, ...userMessage('', { contextId, parts: message.parts }) },
          ...(configuration && { configuration }),
        })
        if (state === 'CANCELED') {
          const task = await until('the second artifact', async () => {
            const { tasks } = await call('ListTasks', { contextId, includeArtifacts: true })
            return tasks[0]?.artifacts?.length === 2 && tasks[0]
          })
          await call('CancelTask', { id: task.id })
        }
        const { task } = await answer
        expect(task.status.state).toBe(`TASK_STATE_${state}`)
        expect(task.artifacts.map(({ name }: { name: string }) => name)).toEqual(['a', 'b'])
        expect(await call('GetTask', { id: task.id })).toEqual(task)
      }
    },
  )

  test('a call that returns immediately gives a task that is not terminal, while its work goes on to its end [CORE-EXECUTION-MODE-002]', async () => {
    const work = gate()
    const probe = await startProbe({ agent: testAgent((task) => task.step('work', work.pass)) })
    const configuration = { returnImmediately: true }
    const { result } = await probe.call(binding, 'SendMessage', { message: userMessage('go'), configuration })
    expect(result.task.status.state).toBe('TASK_STATE_SUBMITTED')
    await work.entered
    work.open()
    await untilState(probe, result.task.id, 'COMPLETED')
  })

  test('an error says what was wrong, by a code, a sentence and the field, and nothing is done before all is right [CORE-ERR-001] [CORE-ERR-002]', async () => {
    const message = userMessage('complete', { parts: [] })
    await shared.changesNothing(async () => {
      for (const operation of ['SendMessage', 'SendStreamingMessage']) {
        for (const [params, fields] of [
          [{}, ['message']],
          [{ message: {} }, ['message.messageId', 'message.role', 'message.parts']],
          [{ message }, ['message.parts']],
          [{ message: userMessage('complete', { contextId: 'x'.repeat(257) }) }, ['message.contextId']],
          [
            {
              message: userMessage('complete', { role: 'ROLE_AGENT' }),
              configuration: { historyLength: -1 },
            },
            ['message.role', 'configuration.historyLength'],
          ],
        ] as const) {
          const answer = await shared.probe.call(binding, operation, params)
          expectRefusal(answer, binding, 'INVALID_PARAMS', [...fields])
          expect(answer.error!.message).toContain(fields[0])
        }
      }
      const listed = await shared.probe.call(binding, 'ListTasks', { pageSize: 101, historyLength: -1 })
      expectRefusal(listed, binding, 'INVALID_PARAMS', ['pageSize', 'historyLength'])
      const got = await shared.probe.call(binding, 'GetTask', { id: 'x', historyLength: -1 })
      expectRefusal(got, binding, 'INVALID_PARAMS', ['historyLength'])
      for (const operation of ['GetTask', 'CancelTask', 'SubscribeToTask']) {
        expectRefusal(await shared.probe.call(binding, operation, { id: 'x' }), binding, 'TASK_NOT_FOUND')
      }
    })
  })

  test('a contextId that cannot be accepted is refused, and no other is made in its place [CORE-MULTI-002a]', async () => {
    await shared.changesNothing(async () => {
      for (const contextId of ['x'.repeat(257), 'one\ntwo', 'one\u0000two']) {
        for (const operation of ['SendMessage', 'SendStreamingMessage']) {
          const message = userMessage('complete', { contextId })
          const answer = await shared.probe.call(binding, operation, { message })
          expectRefusal(answer, binding, 'INVALID_PARAMS', ['message.contextId'])
        }
      }
    })
  })

  test('the history is as long as it is asked to be, counted from the newest, and absent for 0 [CORE-HIST-001] [CORE-HIST-002] [CORE-HIST-003]', async () => {
    const texts = (task: Task) => task.history?.map(({ parts }) => parts[0]!.text)
    const all = ['ask one; ask two', 'one', 'first', 'two', 'second']
    for (const [historyLength, expected] of [
      [0, undefined],
      [1, all.slice(-1)],
      [4, all.slice(-4)],
      [99, all],
    ] as const) {
      const configuration = { historyLength }
      const send = async (message: object): Promise<Task> =>
        (await call('SendMessage', { message, configuration })).task
      const { id, contextId, ...created } = await send(userMessage('ask one; ask two'))
      expect('history' in created).toBe(historyLength > 0)
      await send(userMessage('first', { taskId: id }))
      const ended = await send(userMessage('second', { taskId: id }))
      const got: Task = await call('GetTask', { id, historyLength })
      const listed: Task = (await call('ListTasks', { contextId, historyLength })).tasks[0]
      for (const task of [ended, got, listed]) {
        expect(texts(task)).toEqual(expected)
        expect('history' in task).toBe(historyLength > 0)
      }
    }
  })

  test('a message is in the history whole, as it was sent [CORE-HIST-004] [CORE-HIST-006]', async () => {
    const message = userMessage('complete', {
      parts: [
        { text: 'complete;', mediaType: 'text/plain', metadata: { lang: 'en' } },
        { text: ' \u2028 ü 😀 \n' },
        { raw: 'AAEC', filename: 'a.bin' },
        { url: 'https://example.com/a?b=c', mediaType: 'text/plain' },
        { data: { a: [1, 'x', null, { b: false }] } },
      ],
      metadata: { a: { b: [1.5, true] } },
      extensions: ['urn:test:a'],
      referenceTaskIds: ['another-task'],
    })
    const { task } = await call('SendMessage', { message })
    const { history } = (await call('GetTask', { id: task.id })) as Task
    const { contextId, taskId, ...rest } = history![0] as Message
    expect([contextId, taskId, rest]).toEqual([task.contextId, task.id, message])
  })

  test('a task is listed for its owner alone, on every page [CORE-LIST-001]', async () => {
    const callerTokens = { alice: 'a-token-of-alice-1', bob: 'a-token-of-bob-1234' }
    const probe = await startProbe({ callerTokens })
    const as = (name: keyof typeof callerTokens) => async (operation: string, params: object) => {
      const headers = { Authorization: `Bearer ${callerTokens[name]}` }
      return (await probe.call(binding, operation, params, headers)).result
    }
    const made: Record<string, string[]> = { alice: [], bob: [] }
    for (const name of ['alice', 'bob', 'alice', 'bob', 'alice'] as const) {
      const { task } = await as(name)('SendMessage', { message: userMessage('complete') })
      made[name]!.unshift(task.id)
    }
    for (const name of ['alice', 'bob'] as const) {
      const first = await as(name)('ListTasks', { pageSize: 1 })
      const rest = await as(name)('ListTasks', { pageToken: first.nextPageToken })
      const ids = [...first.tasks, ...rest.tasks].map(({ id }: Task) => id)
      expect([ids, rest.totalSize, rest.nextPageToken]).toEqual([made[name], made[name]!.length, ''])
    }
  })
})

// A message of gRPC has numbers for its fields, and no unknown names.
test.each(['JSONRPC', 'HTTP+JSON'] as const)(
  'over %s unknown fields are ignored, at whatever depth they come [DM-SERIAL-005]',
  async (binding) => {
    const call = talking(shared.probe, binding)
    const odd = { foo: 1, kind: 'message', nested: { a: [null] } }
    const message = userMessage('', { ...odd, parts: [{ text: 'complete', ...odd }] })
    const { task } = await call('SendMessage', { ...odd, message, configuration: { ...odd, blocking: true } })
    expect(task.status.state).toBe('TASK_STATE_COMPLETED')
    expect(task.history[0].parts).toEqual([{ text: 'complete' }])
    expect(task.history[0]).not.toHaveProperty('kind')
    expect(await call('GetTask', { id: task.id, foo: 1 })).toEqual(task)
  },
)

test.each(operations.filter(([operation]) => operation.includes('PushNotification')))(
  '%s of an agent that sends no push notifications is refused over both JSON bindings [CORE-CAP-001]',
  async (operation) => {
    const probe = await startProbe({ capabilities: { pushNotifications: false } })
    for (const binding of ['JSONRPC', 'HTTP+JSON'] as const) {
      const [path, init] = requestOf(binding, operation)
      const { error } = (await (await fetch(`${probe.url}/a2a${path}`, init)).json()) as {
        error: { data?: { reason: string }[]; details?: { reason: string }[] }
      }
      expect((error.data ?? error.details)![0]!.reason).toBe('PUSH_NOTIFICATION_NOT_SUPPORTED')
      const configuration = { taskPushNotificationConfig: { url: 'https://example.com/hook' } }
      const message = userMessage('complete')
      const sent = await probe.call(binding, 'SendMessage', { message, configuration })
      expectRefusal(sent, binding, 'PUSH_NOTIFICATION_NOT_SUPPORTED')
    }
    expect((await probe.call('JSONRPC', 'ListTasks', {})).result.totalSize).toBe(0)
  },
)
