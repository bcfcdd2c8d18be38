// The identifier rules (§3.4): what a client may send as taskId and contextId, on both bindings, blocking and streaming.
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { testAgent } from './support/agent.ts'
import { isSayable } from './support/grpc.ts'
import { type Binding, bindings, startProbe, userMessage } from './support/probe.ts'
import { expectRefusal, waysToSend } from './support/refusals.ts'
import { get, send } from './support/send.ts'
import { shareProbe } from './support/shared-probe.ts'
import { allFrames } from './support/sse.ts'

const shared = shareProbe()

const waiting = (binding: Binding, more: object = {}) =>
  send(
    shared.probe,
    { binding, operation: 'SendMessage' },
    { message: userMessage('ask Which branch?', more) },
  )

describe.each(waysToSend)('$operation over $binding', (way) => {
  const { binding, operation } = way
  const call = (message: object) => shared.probe.call(binding, operation, { message })
  const sent = (message: object) => send(shared.probe, way, { message })

  test.each([
    ['that never was', () => randomUUID(), {}],
    ['that the client made up for a new task', () => randomUUID(), { contextId: 'made-up' }],
    ['that is no id at all', () => '../tasks?x=1 ümläut\u2028', {}],
    ['that is very long', () => 'x'.repeat(5000), {}],
    ['that is like an id of SQL', () => "' OR 1=1 --", {}],
  ])(
    'UNKNOWN-TASKID: a taskId %s is TaskNotFound, and no task is made [CORE-MULTI-004]',
    async (_, taskId, more) => {
      await shared.changesNothing(async () => {
        const answer = await call(userMessage('complete', { taskId: taskId(), ...more }))
        expectRefusal(answer, binding, 'TASK_NOT_FOUND')
      })
    },
  )

  test('a taskId is taken as it is: another case or a space makes it unknown', async () => {
    const { id } = await waiting(binding)
    await shared.changesNothing(async () => {
      for (const taskId of [id.toUpperCase(), ` ${id}`, `${id}\n`]) {
        expectRefusal(await call(userMessage('main', { taskId })), binding, 'TASK_NOT_FOUND')
      }
    })
  })

  test.each([
    ['no contextId', {}],
    ['an empty contextId', { contextId: '' }],
    ['a null contextId', { contextId: null }],
  ])(
    'CONTEXT-INFERRED: a taskId with %s belongs to the context of the task [CORE-MULTI-005]',
    async (_, more) => {
      const { id, contextId } = await waiting(binding)
      const task = await sent(userMessage('main', { taskId: id, ...more }))
      expect(task).toMatchObject({ id, contextId, status: { state: 'TASK_STATE_COMPLETED' } })
      expect(task.history!.map((message) => message.contextId)).toEqual([contextId, contextId, contextId])
      expect(task.history!.map((message) => message.taskId)).toEqual([id, id, id])
    },
  )

  test('a taskId with the contextId of the task is accepted', async () => {
    const { id, contextId } = await waiting(binding)
    const task = await sent(userMessage('main', { taskId: id, contextId }))
    expect(task).toMatchObject({ id, contextId, status: { state: 'TASK_STATE_COMPLETED' } })
  })

  test("CONTEXT-MISMATCH: another contextId than the task's is refused, and the task still waits [CORE-MULTI-006]", async () => {
    const [task, other] = [await waiting(binding), await waiting(binding)]
    await shared.changesNothing(async () => {
      for (const contextId of [other.contextId, 'some-other', task.contextId.toUpperCase(), task.id]) {
        const answer = await call(userMessage('main', { taskId: task.id, contextId }))
        expectRefusal(answer, binding, 'INVALID_PARAMS', ['message.contextId'])
      }
    })
    const ended = await sent(userMessage('main', { taskId: task.id }))
    expect(ended.status.state).toBe('TASK_STATE_COMPLETED')
    expect(ended.history).toHaveLength(3)
  })

  const bad: [string, unknown][] = [
    ['longer than 256 characters', 'x'.repeat(257)],
    ['with a line break', 'one\ntwo'],
    ['with a NUL', 'one\u0000two'],
    ['with a lone surrogate', 'one\ud800two'],
    ['that is a number', 7],
    ['that is a list', ['one']],
  ]
  const sayable = bad.filter(([, contextId]) => isSayable(binding, 'ListTasks', { contextId }))
  test.each(sayable)('a contextId %s is refused, and never replaced by another', async (_, contextId) => {
    await shared.changesNothing(async () => {
      for (const text of ['complete', 'reply hello']) {
        const answer = await call(userMessage(text, { contextId }))
        expectRefusal(answer, binding, 'INVALID_PARAMS', ['message.contextId'])
      }
    })
  })

  test.each([
    ['an ordinary one', () => randomUUID()],
    ['of 256 characters', () => randomUUID().padEnd(256, 'x')],
    ['with any characters of a line', () => `${randomUUID()} ü "quoted" <b> \u2028 __proto__ 😀`],
  ])('a contextId that the client made up is kept: %s [CORE-MULTI-002]', async (_, make) => {
    const contextId = make()
    const task = await sent(userMessage('complete', { contextId }))
    expect(task.contextId).toBe(contextId)
    expect(task.history![0]!.contextId).toBe(contextId)
  })

  test('a contextId without taskId starts a new task in that conversation', async () => {
    const first = await sent(userMessage('complete'))
    const second = await sent(userMessage('complete', { contextId: first.contextId }))
    expect(second.contextId).toBe(first.contextId)
    expect(second.id).not.toBe(first.id)
    expect(await get(shared.probe, first.id, binding)).toEqual(first)
    const { result } = await shared.probe.call(binding, 'ListTasks', { contextId: first.contextId })
    expect(result.tasks.map(({ id }: { id: string }) => id)).toEqual([second.id, first.id])
  })

  test('without any id, the task and the context are new [CORE-MULTI-001] [CORE-MULTI-001a] [CORE-MULTI-003]', async () => {
    const tasks = [await sent(userMessage('complete')), await sent(userMessage('complete'))]
    expect(new Set(tasks.flatMap(({ id, contextId }) => [id, contextId])).size).toBe(4)
  })

  test('the taskId of a terminal task is UnsupportedOperation, also with its contextId', async () => {
    const { id, contextId } = await sent(userMessage('complete done'))
    await shared.changesNothing(async () => {
      for (const more of [{}, { contextId }]) {
        const answer = await call(userMessage('again', { taskId: id, ...more }))
        expectRefusal(answer, binding, 'UNSUPPORTED_OPERATION')
      }
      const elsewhere = await call(userMessage('again', { taskId: id, contextId: 'some-other' }))
      expectRefusal(elsewhere, binding, 'INVALID_PARAMS', ['message.contextId'])
    })
  })

  test.each([
    ['text', { parts: [{ text: 'main' }] }, 'main'],
    ['structured data', { parts: [{ data: { baseBranch: 'main' } }] }, ''],
  ])('a question can be answered by %s, and is gone from the status then', async (_, content, text) => {
    const asked = await waiting(binding)
    expect(asked.status.message).toMatchObject({ role: 'ROLE_AGENT', parts: [{ text: 'Which branch?' }] })
    const task = await sent(userMessage('', { taskId: asked.id, ...content }))
    expect(task.status).toEqual({ state: 'TASK_STATE_COMPLETED', timestamp: task.status.timestamp })
    expect(task.artifacts![0]!.parts).toEqual([{ text }])
    expect(task.history!.at(-1)!.parts).toEqual(content.parts)
  })
})

test.each(
  bindings.flatMap((binding) =>
    ['unknown', 'a/b', '%', 'a?b=c#d', 'ü 😀', 'x'.repeat(5000)].map((id) => ({ binding, id })),
  ),
)(
  'UNKNOWN-TASKID: over $binding there is no task $id [CORE-GET-002] [CORE-CANCEL-003] [STREAM-SUB-004]',
  async ({ binding, id }) => {
    await shared.changesNothing(async () => {
      for (const operation of ['GetTask', 'CancelTask', 'SubscribeToTask']) {
        expectRefusal(await shared.probe.call(binding, operation, { id }), binding, 'TASK_NOT_FOUND')
      }
    })
  },
)

test.each(bindings)('CONTEXT-INFERRED: over %s the agent sees the context of the task', async (binding) => {
  const agent = testAgent(async (task) => {
    const answer = await task.ask('Which branch?')
    await task.artifact({ name: 'seen', data: [task.contextId, answer.contextId, answer.taskId] })
  })
  const probe = await startProbe({ agent })
  const way = { binding, operation: 'SendMessage' } as const
  for (const contextId of [undefined, '']) {
    const asked = await send(probe, way, { message: userMessage('go') })
    const message = userMessage('main', {
      taskId: asked.id,
      ...(contextId === undefined ? {} : { contextId }),
    })
    const { artifacts } = await send(probe, way, { message })
    expect(artifacts![0]!.parts[0]!.data).toEqual([asked.contextId, asked.contextId, asked.id])
  }
})

test.each(bindings)(
  'CONTEXT-INFERRED: over %s every event of an answer carries the context of the task',
  async (binding) => {
    const { id, contextId } = await waiting(binding)
    const message = userMessage('main', { taskId: id })
    const frames = await allFrames(await shared.probe.stream(binding, 'SendStreamingMessage', { message }))
    expect(frames.length).toBeGreaterThan(2)
    for (const { task, statusUpdate, artifactUpdate } of frames) {
      expect(task?.id ?? (statusUpdate ?? artifactUpdate)?.taskId).toBe(id)
      expect((task ?? statusUpdate ?? artifactUpdate)?.contextId).toBe(contextId)
    }
  },
)

test.each(bindings)(
  'over %s SendMessage wraps the task, GetTask and CancelTask give it bare [CORE-SEND-001]',
  async (binding) => {
    const message = userMessage('ask Which branch?')
    const { result: sent } = await shared.probe.call(binding, 'SendMessage', { message })
    expect(Object.keys(sent)).toEqual(['task'])
    const { id } = sent.task
    const { result: got } = await shared.probe.call(binding, 'GetTask', { id })
    expect(got).toEqual(sent.task)
    const { result: canceled } = await shared.probe.call(binding, 'CancelTask', { id })
    expect(canceled).toMatchObject({ id, status: { state: 'TASK_STATE_CANCELED' } })
    expect(canceled.status.message.parts).toEqual([{ text: 'Canceled. Nothing was done.' }])
  },
)

test.each(bindings)(
  "over %s another caller's task and context are as unknown as none [CORE-GET-002] [CORE-CANCEL-003] [STREAM-SUB-004]",
  async (binding) => {
    const first = await startProbe()
    const task = await send(first, { binding, operation: 'SendMessage' }, { message: userMessage('ask') })
    await first.close()
    const db = new Database(join(first.dataDir, 'conformance.db'))
    db.exec("UPDATE tasks SET owner = 'somebody else'; UPDATE counts SET owner = 'somebody else'")
    db.close()
    const probe = await startProbe({ dataDir: first.dataDir })

    for (const operation of [
      'SendMessage',
      'SendStreamingMessage',
      'GetTask',
      'CancelTask',
      'SubscribeToTask',
    ]) {
      const about = (id: string) =>
        operation.startsWith('Send') ? { message: userMessage('main', { taskId: id }) } : { id }
      const theirs = await probe.call(binding, operation, about(task.id))
      expectRefusal(theirs, binding, 'TASK_NOT_FOUND')
      expect(theirs).toEqual(await probe.call(binding, operation, about(randomUUID())))
    }
    for (const filter of [{}, { contextId: task.contextId }, { status: task.status.state }]) {
      const { result } = await probe.call(binding, 'ListTasks', filter)
      expect(result).toMatchObject({ tasks: [], totalSize: 0 })
    }
    for (const { operation } of waysToSend) {
      const answer = await probe.call(binding, operation, {
        message: userMessage('complete', { contextId: task.contextId }),
      })
      expectRefusal(answer, binding, 'INVALID_PARAMS', ['message.contextId'])
    }
  },
)
