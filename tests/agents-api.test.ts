// The rules for those who write agents: what the core holds them to, and what it promises them.
import { type Agent, TaskError, type TaskHandle, textOf } from '@a2a-kit/task-core'
import type { Task } from '@a2a-kit/task-core/protocol'
import { describe, expect, test } from 'vitest'
import { gate, testAgent } from './support/agent.ts'
import { readableLog } from './support/log.ts'
import { type Probe, startProbe, userMessage } from './support/probe.ts'
import { expectNoInsides } from './support/refusals.ts'
import { until, untilState } from './support/wait.ts'

/** The task when its blocking call has returned. */
async function send(probe: Probe, text: string, more: object = {}): Promise<Task> {
  return (await probe.call('JSONRPC', 'SendMessage', { message: userMessage(text, more) })).result.task
}

const says = ({ status }: Task) => textOf(status.message)

/** Runs `first` to its question, then answers the task with `second` as the agent, as after an update of the kit. */
async function updated(first: Agent['run'], second: Agent['run'], log = readableLog().log): Promise<Task> {
  const before = await startProbe({ agent: testAgent(first) })
  const { id, status } = await send(before, 'go')
  expect(status.state).toBe('TASK_STATE_INPUT_REQUIRED')
  await before.close()
  const after = await startProbe({ agent: testAgent(second), dataDir: before.dataDir, log })
  return send(after, 'main', { taskId: id })
}

/** Holds that the task failed without its reason, and that the log has it under the reference that the task names. */
function expectExplained(task: Task, { failures }: ReturnType<typeof readableLog>): string {
  expect(task.status.state).toBe('TASK_STATE_FAILED')
  const [, reference] =
    /^The agent failed. Its log explains it under reference (\S+)\.$/.exec(says(task)) ?? []
  const line = failures().find((one) => one.reference === reference)
  expect(line, says(task)).toMatchObject({ taskId: task.id, msg: 'The agent failed.' })
  return line!.err!.message
}

describe('one call at a time', () => {
  test.each<[string, Agent['run'], string]>([
    [
      'a second call while one is open',
      async (task) => void (await Promise.all([task.step('a', () => {}), task.step('b', () => {})])),
      'step:b was called while step:a is open: one call at a time, await each.',
    ],
    [
      'a question beside a step',
      async (task) => void (await Promise.all([task.step('a', () => {}), task.ask('?')])),
      'ask was called while step:a is open: one call at a time, await each.',
    ],
    [
      'a call that is not awaited',
      async (task) => void task.artifact({ name: 'lost', text: '?' }),
      'The run ended while artifact is open: await each call.',
    ],
  ])('%s fails the task and says so in the log', async (_what, run, words) => {
    const log = readableLog()
    const probe = await startProbe({ agent: testAgent(run), log: log.log })
    expect(expectExplained(await send(probe, 'go'), log)).toBe(words)
  })

  test('a step that fails and is not awaited does not end the process', async () => {
    const held = gate()
    const agent = testAgent(async (task) => {
      const failing = task.step('fails', async () => {
        await held.pass()
        throw new Error('nobody listens')
      })
      await held.entered
      void failing
    })
    const log = readableLog()
    const probe = await startProbe({ agent, log: log.log })
    const task = await send(probe, 'go')
    held.open()
    await until('the failed step in the log', () => log.lines.some(({ step }) => step === 'fails'))
    expect(await untilState(probe, task.id, 'FAILED')).toEqual(task)
  })
})

describe('an agent that has changed while a task waited', () => {
  const done: string[] = []
  const step = (task: TaskHandle, name: string) => task.step(name, () => done.push(name))

  test('goes on with the task: new lines are done, old ones are not done again, texts are not compared', async () => {
    done.length = 0
    const task = await updated(
      async (first) => {
        await step(first, 'old')
        await first.artifact({ name: 'log', text: 'old' })
        await first.ask('Which branch?')
      },
      async (second) => {
        await second.working('A progress text that is new.')
        await step(second, 'new')
        await step(second, 'old')
        await second.artifact({ name: 'log', text: 'reworded' })
        const answer = await second.ask('Which base branch should I compare with?')
        await second.artifact({ name: 'new', text: 'more' })
        return `Compared with ${textOf(answer)}.`
      },
    )
    expect(task.status.state).toBe('TASK_STATE_COMPLETED')
    expect(says(task)).toBe('Compared with main.')
    expect(done).toEqual(['old', 'new'])
    expect(task.artifacts?.map(textOf)).toEqual(['old', 'more'])
    expect(task.history?.map(textOf)).toEqual(['go', 'Which branch?', 'main'])
  })

  test('and does not ask any more for what was answered fails the task', async () => {
    const log = readableLog()
    const task = await updated(
      async (first) => void (await first.ask('Which branch?')),
      async () => 'Done without it.',
      log.log,
    )
    expect(expectExplained(task, log)).toBe('The run ended without asking for what was answered: ask#1')
  })

  test('and does not do any more what it has done is told so in the log, and completes', async () => {
    const log = readableLog()
    const task = await updated(
      async (first) => {
        await step(first, 'old')
        await first.ask('Which branch?')
      },
      async (second) => void (await second.ask('Which branch?')),
      log.log,
    )
    expect(task.status.state).toBe('TASK_STATE_COMPLETED')
    expect(log.lines).toContainEqual(
      expect.objectContaining({ msg: 'The run did not ask for these records.', keys: ['step:old#1'] }),
    )
  })
})

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

test.each(['ask', 'authorize', 'step'] as const)(
  'neither catch nor finally sees that a run stops in "%s"',
  async (kind) => {
    const seen: string[] = []
    const held = gate()
    const wait = (task: TaskHandle): Promise<unknown> => {
      if (kind === 'ask') return task.ask('?')
      if (kind === 'authorize') return task.authorize({ operation: { kind }, explain: () => 'May I?' })
      return task.step('held', held.pass)
    }
    const agent = testAgent(async (task) => {
      try {
        await wait(task)
        seen.push('done')
      } catch {
        seen.push('catch')
      } finally {
        seen.push('finally')
      }
    })
    const before = await startProbe({ agent })
    const configuration = { returnImmediately: true }
    const message = userMessage('go')
    const { result } = await before.call('JSONRPC', 'SendMessage', { message, configuration })
    if (kind === 'step') await held.entered
    else await untilState(before, result.task.id, 'INPUT_REQUIRED', 'AUTH_REQUIRED')
    await before.close()
    held.open()
    const after = await startProbe({ agent, dataDir: before.dataDir })
    expect(seen).toEqual([])
    if (kind !== 'step') await after.call('JSONRPC', 'CancelTask', { id: result.task.id })
    await untilState(after, result.task.id, 'COMPLETED', 'CANCELED')
    expect(seen).toEqual(kind === 'step' ? ['done', 'finally'] : [])
  },
)

test('the result of a step is what JSON makes of it, the first time too', async () => {
  const seen: unknown[] = []
  const agent = testAgent(async (task) => {
    seen.push(await task.step('when', () => ({ at: new Date(0), left: undefined, list: [undefined, 1] })))
    seen.push(await task.step('nothing', () => undefined))
    await task.ask('?')
  })
  const probe = await startProbe({ agent })
  const { id } = await send(probe, 'go')
  await send(probe, 'on', { taskId: id })
  const once = [{ at: '1970-01-01T00:00:00.000Z', list: [null, 1] }, undefined]
  expect(seen).toEqual([...once, ...once])
})
