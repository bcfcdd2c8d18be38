// What an agent's failures become: recorded, rethrown the same, and told to those whom they are for.
import { type Agent, TaskError, textOf } from '@a2a-kit/task-core'
import { describe, expect, test } from 'vitest'
import { gate, testAgent } from './support/agent.ts'
import { expectExplained, readableLog } from './support/log.ts'
import { startProbe } from './support/probe.ts'
import { expectNoInsides } from './support/refusals.ts'
import { begin, says, send } from './support/talk.ts'

describe('the failure of a step', () => {
  test('is recorded, and rethrown the same when the run goes on', async () => {
    let calls = 0
    const seen: unknown[] = []
    const agent = testAgent(async (task) => {
      try {
        await task.step('fetch', () => {
          calls += 1
          throw new TypeError(`refused ${calls} times`)
        })
      } catch (error) {
        seen.push([(error as Error).message, error instanceof TaskError])
      }
      await task.ask('Try another address?')
    })
    const probe = await startProbe({ agent })
    const { id } = await send(probe, 'go')
    expect((await send(probe, 'no', { taskId: id })).status.state).toBe('TASK_STATE_COMPLETED')
    expect(calls).toBe(1)
    expect(seen).toEqual(Array(2).fill(['refused 1 times', false]))
  })

  test('reaches the caller with its text if it is a TaskError', async () => {
    const agent = testAgent((task) =>
      task.step('read', () => {
        throw new TaskError('The archive has no build.json.')
      }),
    )
    const task = await send(await startProbe({ agent }), 'go')
    expect([task.status.state, says(task)]).toEqual(['TASK_STATE_FAILED', 'The archive has no build.json.'])
  })

  test('stays in the log if it is any other error', async () => {
    const agent = testAgent((task) =>
      task.step('read', () => {
        throw new Error('ENOENT: /etc/secret')
      }),
    )
    const log = readableLog()
    expect(expectExplained(await send(await startProbe({ agent, log: log.log }), 'go'), log)).toBe(
      'ENOENT: /etc/secret',
    )
  })
})

describe('a failing run', () => {
  const throwing: [string, Agent['run'], RegExp][] = [
    ['throws', () => Promise.reject(new Error('secret of /src/agent.ts')), /^secret/],
    [
      'throws before it returns a promise',
      () => {
        throw new Error('secret')
      },
      /^secret$/,
    ],
    ['throws what is no error', () => Promise.reject('secret'), /^secret$/],
    ['returns what is not JSON', async () => ({ data: 1n as never }), /BigInt/],
    ['emits what is not JSON', (task) => task.artifact({ name: 'big', data: 1n }), /BigInt/],
    ['records what is not JSON', (task) => task.step('count', () => 1n) as Promise<never>, /BigInt/],
  ]
  test.each(throwing)(
    'that %s fails its task with a reference, and shows nothing of itself',
    async (_, run, words) => {
      const log = readableLog()
      const task = await send(await startProbe({ agent: testAgent(run), log: log.log }), 'go')
      expectNoInsides(JSON.stringify(task))
      expect(JSON.stringify(task)).not.toMatch(words)
      expect(task.status.state).toBe('TASK_STATE_FAILED')
      expect(JSON.stringify(log.failures())).toMatch(words.source.replaceAll(/[$^]/g, ''))
    },
  )

  test('THROW-LEAVES-WORKING: what an agent throws after its task was canceled changes nothing', async () => {
    const held = gate()
    const late = Promise.withResolvers<void>()
    const agent = testAgent(async (task) => {
      if (textOf(task.message) === 'another') return
      await task.step('work', async () => {
        await held.pass()
        late.resolve()
        throw new Error('too late')
      })
    })
    const probe = await startProbe({ agent, settings: { cancelGrace: 5 } })
    const id = await begin(probe)
    await held.entered
    const { result: canceled } = await probe.call('JSONRPC', 'CancelTask', { id })
    expect(canceled.status.state).toBe('TASK_STATE_CANCELED')
    held.open()
    await late.promise
    expect((await send(probe, 'another')).status.state).toBe('TASK_STATE_COMPLETED')
    expect((await probe.call('JSONRPC', 'GetTask', { id })).result).toEqual(canceled)
  })

  test('after reject nothing of the run is done any more', async () => {
    const after: string[] = []
    const agent = testAgent(async (task) => {
      try {
        await task.reject('Production is frozen.')
      } finally {
        after.push('finally')
      }
    })
    const task = await send(await startProbe({ agent }), 'go')
    expect([task.status.state, says(task)]).toEqual(['TASK_STATE_REJECTED', 'Production is frozen.'])
    expect(after).toEqual([])
  })
})
