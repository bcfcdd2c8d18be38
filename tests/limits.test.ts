// How large anything may be: what is larger is refused in the protocol's own form on every binding, and nothing is stored.

import { lazyAgent } from '@a2a-kit/client'
import { textOf } from '@a2a-kit/task-core'
import type { Task } from '@a2a-kit/task-core/protocol'
import { describe, expect, test } from 'vitest'
import { testAgent } from './support/agent.ts'
import { bindings, startProbe, userMessage } from './support/probe.ts'
import { expectRefusal, waysToSend } from './support/refusals.ts'
import { shareProbe } from './support/shared-probe.ts'
import { allFrames } from './support/sse.ts'
import { answer, begin, says, send } from './support/talk.ts'
import { untilState } from './support/wait.ts'

const limits = {
  maxBody: 50_000,
  maxParts: 3,
  maxMetadata: 100,
  maxHistory: 4,
  maxHistoryBytes: 10_000,
  maxArtifacts: 3,
  maxArtifactBytes: 20_000,
  maxPushConfigs: 2,
  pushAllowedHosts: ['*'],
}
const shared = shareProbe({ settings: limits })
const call = (...words: Parameters<typeof shared.probe.call>) => shared.probe.call(...words)
const large = { text: 'x'.repeat(89) } // 100 bytes of JSON, and one more below
const parts = (many: number) => Array.from({ length: many }, () => ({ text: 'complete; ' }))

describe.each(waysToSend)('$operation over $binding', ({ binding, operation }) => {
  const refused = async (params: object, fields: string[]) => {
    await shared.changesNothing(async () => {
      expectRefusal(await call(binding, operation, params), binding, 'INVALID_PARAMS', fields)
    })
  }

  test('takes so many parts, and no more', async () => {
    await refused({ message: userMessage('', { parts: parts(4) }) }, ['message.parts'])
    const sent = await call(binding, 'SendMessage', { message: userMessage('', { parts: parts(3) }) })
    expect(sent.error).toBeUndefined()
  })

  test('takes metadata of so many bytes, wherever it stands, and no more', async () => {
    const more = { text: `${large.text}x` }
    await refused({ message: userMessage('complete', { metadata: more }) }, ['message.metadata'])
    await refused({ message: userMessage('complete'), metadata: more }, ['metadata'])
    const part = { text: 'complete', metadata: more }
    await refused({ message: userMessage('', { parts: [{ text: '' }, part] }) }, [
      'message.parts[1].metadata',
    ])
    const fits = userMessage('', { parts: [{ ...part, metadata: large }], metadata: large })
    const sent = await call(binding, 'SendMessage', { message: fits, metadata: large })
    expect(sent.error).toBeUndefined()
  })

  test('takes a messageId of 256 characters on one line, and no more', async () => {
    for (const messageId of ['x'.repeat(257), 'two\nlines']) {
      await refused({ message: userMessage('complete', { messageId }) }, ['message.messageId'])
    }
  })

  test('takes a request of so many bytes, and no more', async () => {
    await shared.changesNothing(async () => {
      const { error, status } = await call(binding, operation, { message: userMessage('x'.repeat(50_001)) })
      expect(error).toMatchObject({ reason: 'PAYLOAD_TOO_LARGE' })
      expect(error!.message).toBe('The request body is too large.')
      expect(status).toBe(binding === 'GRPC' ? 8 : 413)
    })
  })
})

test.each(bindings)(
  'metadata of a cancel that is too large over %s leaves the task as it is',
  async (binding) => {
    const id = await begin(shared.probe, 'ask')
    await untilState(shared.probe, id, 'INPUT_REQUIRED')
    await shared.changesNothing(async () => {
      const metadata = { text: `${large.text}x` }
      const answered = await call(binding, 'CancelTask', { id, metadata })
      expectRefusal(answered, binding, 'INVALID_PARAMS', ['metadata'])
    })
    expect((await call(binding, 'CancelTask', { id, metadata: large })).error).toBeUndefined()
  },
)

test.each(bindings)(
  'a task takes so many push notification configs over %s, and no more',
  async (binding) => {
    const taskId = await begin(shared.probe, 'ask')
    const create = (id: string) =>
      call(binding, 'CreateTaskPushNotificationConfig', { taskId, id, url: 'http://localhost:1/' })
    for (const id of ['a', 'b', 'a']) expect((await create(id)).error).toBeUndefined()
    expectRefusal(await create('c'), binding, 'INVALID_PARAMS', ['id'])
  },
)

describe.each(bindings)('the history of a task, over %s', (binding) => {
  const waiting = (id: string) => untilState(shared.probe, id, 'INPUT_REQUIRED', 'AUTH_REQUIRED')
  const refused = async (id: string, text: string, why: RegExp) => {
    await shared.changesNothing(async () => {
      const late = await call(binding, 'SendMessage', { message: userMessage(text, { taskId: id }) })
      expectRefusal(late, binding, 'INVALID_PARAMS', ['message.taskId'])
      expect(late.error!.message).toMatch(why)
    })
  }

  test('takes so many messages; then the task waits on, and can be canceled', async () => {
    const id = await begin(shared.probe, 'ask; ask; ask')
    await waiting(id)
    const message = userMessage('one', { taskId: id })
    expect((await call(binding, 'SendMessage', { message })).error).toBeUndefined()
    await refused(id, 'two', /more than 4 messages/)
    expect((await call(binding, 'SendMessage', { message })).error, 'of a repeat').toBeUndefined()
    expect((await call(binding, 'CancelTask', { id })).result.status.state).toBe('TASK_STATE_CANCELED')
  })

  test('takes so many bytes; then an operator can still approve', async () => {
    const id = await begin(shared.probe, 'authorize')
    await waiting(id)
    await refused(id, 'x'.repeat(9500), /more than 10000 bytes/)
    const approved = await fetch(`${shared.probe.url}/approve/${id}`, { method: 'POST' })
    expect(approved.status).toBe(200)
    await untilState(shared.probe, id, 'COMPLETED')
  })
})

test('two agents that ask and answer each other without end come to one', async () => {
  const asking = testAgent(async (task) => {
    for (;;) await task.ask('And then?')
  })
  const peer = await startProbe({ agent: asking, settings: { maxHistory: 7 } })
  const agent = lazyAgent(peer.url)
  const answering = testAgent(async (task) => {
    await task.follow('talk', { agent, message: 'Once upon a time.', answer: () => 'More.' })
  })
  const probe = await startProbe({ agent: answering })
  const task = await untilState(probe, await begin(probe), 'FAILED')
  expect(says(task)).toMatch(/history would have more than 7 messages.*is in TASK_STATE_CANCELED/)
  const { tasks } = (await peer.call('JSONRPC', 'ListTasks', {})).result
  expect(tasks.map((one: Task) => [one.status.state, one.history!.length])).toEqual([
    ['TASK_STATE_CANCELED', 7],
  ])
})

describe('the artifacts of a task', () => {
  const bytes = 'The artifacts of the task have more than 20000 bytes.'
  const texts = (task: Task) => (task.artifacts ?? []).map((one) => textOf(one).length)

  test('are so many; one more fails the task, which keeps those before', async () => {
    const task = await send(
      shared.probe,
      'artifact a x; artifact b y; artifact c z; artifact d !; artifact e !',
    )
    expect([task.status.state, says(task)]).toEqual([
      'TASK_STATE_FAILED',
      'The task has more than 3 artifacts.',
    ])
    expect(texts(task)).toEqual([1, 1, 1])
  })

  test('have so many bytes; more fails the task, which keeps those before', async () => {
    const task = await send(shared.probe, `artifact a ${'x'.repeat(15_000)}; artifact b ${'y'.repeat(5000)}`)
    expect([task.status.state, says(task)]).toEqual(['TASK_STATE_FAILED', bytes])
    expect(texts(task)).toEqual([15_000])
  })

  test('that a step gathers are bounded as they grow, and nothing of them is sent', async () => {
    const task = await send(shared.probe, 'chunks 30 of 1000; complete')
    expect([task.status.state, says(task)]).toEqual(['TASK_STATE_FAILED', bytes])
    expect(texts(task)).toEqual([])
    expect(texts(await send(shared.probe, 'chunks 15 of 1000'))).toEqual([15_000])
  })

  test('that a step streams end with the last chunk that fits, for who watches and who asks', async () => {
    const { call, stream } = await startProbe({ settings: { ...limits, streamArtifacts: true } })
    const message = userMessage('chunks 30 of 1000')
    const frames = await allFrames(await stream('JSONRPC', 'SendStreamingMessage', { message }))
    const chunks = frames.filter(({ artifactUpdate }) => artifactUpdate)
    expect(chunks.some(({ artifactUpdate }) => artifactUpdate!.lastChunk)).toBe(false)
    const { result } = await call('JSONRPC', 'GetTask', { id: frames[0]!.task!.id })
    expect([result.status.state, says(result)]).toEqual(['TASK_STATE_FAILED', bytes])
    expect(texts(result)).toEqual([chunks.length * 1000])
    expect(chunks.length).toBe(19)
  })

  test('are counted across a restart', async () => {
    const before = await startProbe({ settings: limits })
    const id = await begin(before, `chunks 15 of 1000; ask; artifact b ${'y'.repeat(5000)}`)
    await untilState(before, id, 'INPUT_REQUIRED')
    await before.close()
    const after = await startProbe({ settings: limits, dataDir: before.dataDir })
    await answer(after, id, 'go on')
    expect(says(await untilState(after, id, 'FAILED'))).toBe(bytes)
  })
})
