// Cancel (§3.1.5): works in every state that is not terminal, says what was done, and survives the process.
import { textOf } from '@a2a-kit/task-core'
import { describe, expect, test } from 'vitest'
import { gate, testAgent } from './support/agent.ts'
import { bindings, startProbe, userMessage } from './support/probe.ts'
import { expectRefusal } from './support/refusals.ts'
import { allFrames } from './support/sse.ts'
import { begin, says } from './support/talk.ts'
import { until, untilState } from './support/wait.ts'

/** Longer than any test: whoever waits for it fails. */
const forever = 1_000_000

describe.each(bindings)('over %s, a cancel', (binding) => {
  test.each([
    ['that has just been made', 'sleep 60000', 'SUBMITTED'],
    ['that works', 'working; sleep 60000', 'WORKING'],
    ['that waits for an answer', 'ask', 'INPUT_REQUIRED'],
    ['that waits for an approval', 'authorize', 'AUTH_REQUIRED'],
  ])('ends a task %s, at once and for good', async (_what, text, state) => {
    const probe = await startProbe({ settings: { cancelGrace: forever } })
    const id = await begin(probe, text)
    const before = await untilState(probe, id, state)
    const stream = await probe.stream(binding, 'SubscribeToTask', { id })
    const { result } = await probe.call(binding, 'CancelTask', { id })
    expect(result.status.state).toBe('TASK_STATE_CANCELED')
    expect(Date.parse(result.status.timestamp)).toBeGreaterThanOrEqual(Date.parse(before.status.timestamp!))
    expect(says(result)).toBe('Canceled. Nothing was done.')
    expect((await allFrames(stream)).at(-1)?.statusUpdate?.status).toEqual(result.status)
    expectRefusal(await probe.call(binding, 'CancelTask', { id }), binding, 'TASK_NOT_CANCELABLE')
    expect((await probe.call(binding, 'GetTask', { id })).result).toEqual(result)
  })

  test('ends a task that waits its turn behind another, which goes on', async () => {
    const probe = await startProbe({ settings: { cancelGrace: forever } })
    const contextId = 'busy'
    const first = await begin(probe, 'working; sleep 60000', { contextId })
    await untilState(probe, first, 'WORKING')
    const second = await begin(probe, 'working', { contextId })
    const { result } = await probe.call(binding, 'CancelTask', { id: second })
    expect(result.status.state).toBe('TASK_STATE_CANCELED')
    await untilState(probe, first, 'WORKING')
    // The place of the second is not taken up when the first ends.
    await probe.call(binding, 'CancelTask', { id: first })
    const third = await begin(probe, 'complete', { contextId })
    await untilState(probe, third, 'COMPLETED')
    await untilState(probe, second, 'CANCELED')
  })

  test('is carried out once, however many come at once', async () => {
    const held = gate()
    let calls = 0
    const agent = testAgent((task) => task.step('work', held.pass), {
      canceled: async () => `canceled() was called ${++calls} times`,
    })
    const probe = await startProbe({ agent, settings: { cancelGrace: 20 } })
    const id = await begin(probe, 'go')
    await held.entered
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => probe.call(binding, 'CancelTask', { id })),
    )
    const canceled = answers.filter(({ result }) => result)
    for (const { result } of canceled) expect(result).toEqual(canceled[0]!.result)
    for (const answer of answers.filter(({ error }) => error)) {
      expectRefusal(answer, binding, 'TASK_NOT_CANCELABLE')
    }
    expect(says(canceled[0]!.result)).toBe('canceled() was called 1 times')
    expect(calls).toBe(1)
  })
})

describe('the running step', () => {
  test('that does not stop in time is named as one that may still finish, and changes nothing any more', async () => {
    const held = gate()
    const agent = testAgent(async (task) => {
      await task.step('prepare', () => {})
      await task.step('build', held.pass)
    })
    const probe = await startProbe({ agent, settings: { cancelGrace: 20 } })
    const id = await begin(probe, 'go')
    await held.entered
    const { result } = await probe.call('JSONRPC', 'CancelTask', { id })
    expect(says(result)).toBe(
      'Canceled. Done before that: prepare. "build" was still running and may finish.',
    )
    held.open()
    await probe.call('JSONRPC', 'SendMessage', { message: userMessage('something else') })
    expect((await probe.call('JSONRPC', 'GetTask', { id })).result).toEqual(result)
  })

  test('that finishes when it is aborted counts as done', async () => {
    const agent = testAgent(async (task) => {
      await task.step('build', ({ signal }) => until('the abort', () => signal.aborted))
      await task.step('publish', () => {})
    })
    const probe = await startProbe({ agent, settings: { cancelGrace: forever } })
    const id = await begin(probe, 'go')
    const { result } = await probe.call('JSONRPC', 'CancelTask', { id })
    expect(says(result)).toBe('Canceled. Done before that: build.')
  })

  test('that never looks at its signal is stopped at its next chunk', async () => {
    const ended = Promise.withResolvers<unknown>()
    const agent = testAgent((task) =>
      task.step('chunks', async ({ out }) => {
        try {
          for (;;) await out.append({ name: 'endless', text: '.' })
        } catch (error) {
          ended.resolve(error)
          throw error
        }
      }),
    )
    const probe = await startProbe({ agent, settings: { cancelGrace: forever, streamArtifacts: true } })
    const id = await begin(probe, 'go')
    const stream = await probe.stream('JSONRPC', 'SubscribeToTask', { id })
    const { result } = await probe.call('JSONRPC', 'CancelTask', { id })
    expect(await ended.promise).toMatchObject({ name: 'AbortError' })
    expect((await allFrames(stream)).at(-1)?.statusUpdate?.status).toEqual(result.status)
    expect((await probe.call('JSONRPC', 'GetTask', { id })).result).toEqual(result)
  })
})

describe('canceled()', () => {
  test('sees what was asked and what was done, and gives the status message', async () => {
    const held = gate()
    let seen: object | undefined
    const agent = testAgent(
      async (task) => {
        await task.step('reserve', () => ({ seat: '12A' }))
        await task.step('pay', held.pass)
      },
      {
        async canceled(task) {
          const { done, unfinished, requestMetadata, id, contextId } = task
          const text = textOf(task.message)
          const [seat, paid] = [task.result('reserve'), task.result('pay')]
          seen = { done, unfinished, requestMetadata, id, contextId, text, seat, paid }
          return `Seat ${await task.step('release', () => '12A')} was released.`
        },
      },
    )
    const probe = await startProbe({ agent, settings: { cancelGrace: 20 } })
    const id = await begin(probe, 'book', { contextId: 'trip' })
    await held.entered
    const { result } = await probe.call('JSONRPC', 'CancelTask', { id, metadata: { why: 'rain' } })
    expect(says(result)).toBe('Seat 12A was released.')
    expect(seen).toEqual({
      done: ['reserve'],
      unfinished: 'pay',
      requestMetadata: { why: 'rain' },
      id,
      contextId: 'trip',
      text: 'book',
      seat: { seat: '12A' },
      paid: undefined,
    })
  })

  test('that throws does not keep the task from its end', async () => {
    const agent = testAgent(async (task) => void (await task.ask('?')), {
      canceled: () => Promise.reject(new Error('a bug in it')),
    })
    const probe = await startProbe({ agent })
    const id = await begin(probe, 'go')
    await untilState(probe, id, 'INPUT_REQUIRED')
    const { result } = await probe.call('JSONRPC', 'CancelTask', { id })
    expect(says(result)).toBe('Canceled. Nothing was done.')
  })

  test('is taken up again after a restart, without the steps that it had done', async () => {
    const held = gate()
    const done: string[] = []
    let restarted = false
    const agent = testAgent(async (task) => void (await task.ask('?')), {
      async canceled(task) {
        await task.step('release', () => void done.push('release'))
        await task.step('tell', ({ idempotencyKey }) => {
          done.push(idempotencyKey)
          return restarted ? undefined : held.pass()
        })
        return 'Released and told.'
      },
    })
    const before = await startProbe({ agent })
    const id = await begin(before, 'go')
    await untilState(before, id, 'INPUT_REQUIRED')
    const lost = before.call('JSONRPC', 'CancelTask', { id }).catch(() => {})
    await held.entered
    await before.close()
    await lost
    restarted = true
    const after = await startProbe({ agent, dataDir: before.dataDir })
    expect(says(await untilState(after, id, 'CANCELED'))).toBe('Released and told.')
    expect(done).toEqual(['release', done[1], done[1]])
  })
})

describe('a stored cancel', () => {
  test('that something else overtakes is refused, and the first end stays', async () => {
    const held = gate()
    const agent = testAgent(async (task) => void (await task.ask('?')), { canceled: held.pass })
    const probe = await startProbe({ agent, settings: { inputTtl: 1 } })
    const id = await begin(probe, 'go')
    await untilState(probe, id, 'INPUT_REQUIRED')
    const late = probe.call('JSONRPC', 'CancelTask', { id })
    await held.entered
    const failed = await untilState(probe, id, 'FAILED')
    held.open()
    expectRefusal(await late, 'JSONRPC', 'TASK_NOT_CANCELABLE')
    expect((await probe.call('JSONRPC', 'GetTask', { id })).result).toEqual(failed)
  })

  test('that a stop of the process overtook is carried out at the next start', async () => {
    const before = await startProbe({ settings: { cancelGrace: forever } })
    const id = await begin(before, 'working; hang')
    await untilState(before, id, 'WORKING')
    const lost = before.call('JSONRPC', 'CancelTask', { id }).catch(() => {})
    await until('that the cancel is stored', async () => {
      const { error } = await before.call('JSONRPC', 'SendMessage', {
        message: userMessage('?', { taskId: id }),
      })
      return error!.message.includes('is being canceled')
    })
    await before.close()
    await lost
    const after = await startProbe({ dataDir: before.dataDir })
    expect(says(await untilState(after, id, 'CANCELED'))).toBe('Canceled. Nothing was done.')
  })
})
