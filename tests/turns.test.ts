// Turns: one at a time within a contextId, independent across contexts, and a task that waits holds none.
import type { TaskHandle } from '@a2a-kit/task-core'
import { textOf } from '@a2a-kit/task-core'
import { describe, expect, test } from 'vitest'
import { gate, testAgent } from './support/agent.ts'
import { startProbe, userMessage } from './support/probe.ts'
import { begin } from './support/talk.ts'
import { untilState } from './support/wait.ts'

/** An agent whose tasks stand at a gate of their own, named by their message; and who is at work now. */
function gated() {
  const gates = new Map<string, ReturnType<typeof gate>>()
  const atWork = new Set<string>()
  const order: string[] = []
  let most = 0
  const gateOf = (name: string) => gates.get(name) ?? gates.set(name, gate()).get(name)!
  async function turn(task: TaskHandle): Promise<void> {
    const name = textOf(task.message)
    await task.step('turn', async () => {
      order.push(name)
      atWork.add(name)
      most = Math.max(most, atWork.size)
      await gateOf(name).pass()
      atWork.delete(name)
    })
  }
  return { agent: testAgent(turn), turn, gateOf, atWork, order, most: () => most }
}

describe('within a context', () => {
  test('turns run one at a time, in the order of the messages', async () => {
    const { agent, gateOf, atWork, order, most } = gated()
    const probe = await startProbe({ agent })
    const names = ['1', '2', '3', '4', '5', '6']
    const ids = []
    for (const name of names) ids.push(await begin(probe, name, { contextId: 'one' }))
    for (const [index, name] of names.entries()) {
      await gateOf(name).entered
      expect([...atWork]).toEqual([name])
      for (const later of ids.slice(index + 1)) await untilState(probe, later, 'SUBMITTED')
      gateOf(name).open()
      await untilState(probe, ids[index]!, 'COMPLETED')
    }
    expect(order).toEqual(names)
    expect(most()).toBe(1)
  })

  test.each(['complete', 'throw', 'fail', 'reject', 'ask', 'authorize'])(
    'a turn that ends with "%s" makes room for the next',
    async (text) => {
      const probe = await startProbe()
      await begin(probe, text, { contextId: 'one' })
      await untilState(probe, await begin(probe, 'complete', { contextId: 'one' }), 'COMPLETED')
    },
  )

  test('a task that was answered takes its turn again, behind those that came before', async () => {
    const { turn, gateOf, order } = gated()
    const agent = testAgent(async (task) => {
      if (textOf(task.message) === 'asks') await task.ask('?')
      await turn(task)
    })
    const probe = await startProbe({ agent })
    const asking = await begin(probe, 'asks', { contextId: 'one' })
    await untilState(probe, asking, 'INPUT_REQUIRED')
    const names = ['first', 'second']
    const ids = [
      await begin(probe, 'first', { contextId: 'one' }),
      await begin(probe, 'second', { contextId: 'one' }),
    ]
    await gateOf('first').entered
    const configuration = { returnImmediately: true }
    const message = userMessage('!', { taskId: asking })
    const { result } = await probe.call('JSONRPC', 'SendMessage', { message, configuration })
    expect(result.task.status.state).toBe('TASK_STATE_WORKING')
    for (const name of [...names, 'asks']) gateOf(name).open()
    for (const id of [...ids, asking]) await untilState(probe, id, 'COMPLETED')
    expect(order).toEqual(['first', 'second', 'asks'])
  })
})

test('a canceled turn lasts until its task has ended', async () => {
  const { turn, gateOf, order } = gated()
  const undoing = gate()
  const canceled = async () => {
    order.push('undo')
    await undoing.pass()
  }
  const probe = await startProbe({ agent: testAgent(turn, { canceled }), settings: { cancelGrace: 20 } })
  const first = await begin(probe, 'first', { contextId: 'one' })
  await gateOf('first').entered
  const second = await begin(probe, 'second', { contextId: 'one' })
  const canceling = probe.call('JSONRPC', 'CancelTask', { id: first })
  await undoing.entered
  await untilState(probe, await begin(probe, 'third', { contextId: 'one' }), 'SUBMITTED')
  expect(order).toEqual(['first', 'undo'])
  undoing.open()
  expect((await canceling).result.status.state).toBe('TASK_STATE_CANCELED')
  await gateOf('second').entered
  for (const name of ['first', 'second', 'third']) gateOf(name).open()
  await untilState(probe, second, 'COMPLETED')
  expect(order.slice(0, 3)).toEqual(['first', 'undo', 'second'])
})

describe('across contexts', () => {
  test('turns run at the same time', async () => {
    const { agent, gateOf, atWork } = gated()
    const probe = await startProbe({ agent })
    for (const name of ['a', 'b', 'c']) await begin(probe, name, { contextId: name })
    await Promise.all(['a', 'b', 'c'].map((name) => gateOf(name).entered))
    expect([...atWork]).toEqual(['a', 'b', 'c'])
    for (const name of ['a', 'b', 'c']) gateOf(name).open()
  })

  test('so many turns run at once and no more, first come first served, and a busy context is passed over', async () => {
    const { agent, gateOf, atWork, order, most } = gated()
    const probe = await startProbe({ agent, settings: { maxTurns: 2 } })
    const tasks = [
      ['a1', 'a'],
      ['a2', 'a'],
      ['b1', 'b'],
      ['c1', 'c'],
      ['d1', 'd'],
    ] as const
    const ids = new Map<string, string>()
    for (const [name, context] of tasks) ids.set(name, await begin(probe, name, { contextId: context }))
    await Promise.all([gateOf('a1').entered, gateOf('b1').entered])
    for (const [done, next] of [
      ['b1', 'c1'],
      ['a1', 'a2'],
      ['c1', 'd1'],
    ] as const) {
      gateOf(done).open()
      await gateOf(next).entered
      expect(atWork.size).toBe(2)
    }
    for (const name of ['a2', 'd1']) gateOf(name).open()
    for (const id of ids.values()) await untilState(probe, id, 'COMPLETED')
    expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'd1'])
    expect(most()).toBe(2)
  })

  test('tasks that wait hold no turn, however many they are', async () => {
    const probe = await startProbe({ settings: { maxTurns: 1 } })
    for (const text of ['ask', 'authorize', 'ask']) {
      await untilState(
        probe,
        await begin(probe, text, { contextId: text }),
        'INPUT_REQUIRED',
        'AUTH_REQUIRED',
      )
    }
    await untilState(probe, await begin(probe, 'complete', { contextId: 'other' }), 'COMPLETED')
  })
})

test('background work holds its task in working, whether anybody looks or not', async () => {
  const held = gate()
  const agent = testAgent(async (task) => {
    await task.working('Indexing.')
    await task.step('index', held.pass)
    return 'Indexed.'
  })
  const probe = await startProbe({ agent })
  const id = await begin(probe, 'go', { contextId: 'one' })
  await held.entered
  const working = await untilState(probe, id, 'WORKING')
  expect(textOf(working.status.message)).toBe('Indexing.')
  const blocking = probe.call('HTTP+JSON', 'SendMessage', {
    message: userMessage('go', { contextId: 'two' }),
  })
  held.open()
  expect(textOf((await untilState(probe, id, 'COMPLETED')).status.message)).toBe('Indexed.')
  expect((await blocking).result.task.status.state).toBe('TASK_STATE_COMPLETED')
})
