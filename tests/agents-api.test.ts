// The rules for those who write agents: what the core holds them to, and what it promises them.
import { type Agent, type TaskHandle, textOf } from '@a2a-kit/task-core'
import type { Task } from '@a2a-kit/task-core/protocol'
import { describe, expect, test } from 'vitest'
import { gate, testAgent } from './support/agent.ts'
import { expectExplained, readableLog } from './support/log.ts'
import { startProbe, userMessage } from './support/probe.ts'
import { says, send } from './support/talk.ts'
import { until, untilState } from './support/wait.ts'

/** Runs `first` to its question, then answers the task with `second` as the agent, as after an update of the kit. */
async function updated(first: Agent['run'], second: Agent['run'], log = readableLog().log): Promise<Task> {
  const before = await startProbe({ agent: testAgent(first) })
  const { id, status } = await send(before, 'go')
  expect(status.state).toBe('TASK_STATE_INPUT_REQUIRED')
  await before.close()
  const after = await startProbe({ agent: testAgent(second), dataDir: before.dataDir, log })
  return send(after, 'main', { taskId: id })
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

  test.each<[string, Agent['run'], string]>([
    [
      'chunks that are sent beside each other',
      async (task) => {
        await task.step('write', async ({ out }) => {
          await Promise.all(['1', '2', '3'].map((text) => out.append({ name: 'report', text })))
        })
      },
      'out.append was called while another is open: one chunk at a time, await each.',
    ],
    [
      'a chunk that is not awaited',
      async (task) => {
        await task.step('write', async ({ out }) => {
          await out.append({ name: 'report', text: '1' })
          void out.append({ name: 'report', text: '2' })
        })
      },
      'The step ended while out.append is open: await each.',
    ],
  ])(
    '%s: the step fails and the log says so, so that no chunk is lost in silence',
    async (_what, run, words) => {
      const log = readableLog()
      const probe = await startProbe({
        agent: testAgent(run),
        log: log.log,
        settings: { streamArtifacts: true },
      })
      expect(expectExplained(await send(probe, 'go'), log)).toBe(words)
    },
  )

  test('THROW-LEAVES-WORKING: a step that fails and is not awaited does not end the process', async () => {
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

test('THROW-LEAVES-WORKING: a step that was not awaited adds nothing to a task that has ended', async () => {
  const held = gate()
  const late = Promise.withResolvers<unknown>()
  const agent = testAgent(async (task) => {
    task.step('late', async ({ out }) => {
      await held.pass()
      await out.append({ name: 'late', text: '1' })
      await out.append({ name: 'late', text: '2' }).catch(late.resolve)
    })
    await held.entered
  })
  const probe = await startProbe({ agent, settings: { streamArtifacts: true } })
  const task = await send(probe, 'go')
  held.open()
  expect(await late.promise).toMatchObject({ message: expect.stringContaining('has ended') })
  expect((await probe.call('JSONRPC', 'GetTask', { id: task.id })).result).toEqual(task)
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
