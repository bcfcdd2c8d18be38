// ListTasks (§3.1.4): filters, order, and totals that are right whatever the tasks went through.
import { isTerminal } from '@a2a-kit/task-core/protocol'
import { expect, test } from 'vitest'
import { idsOf, iso, list, start, startAt } from './support/list.ts'
import { bindings, jsonBindings, userMessage } from './support/probe.ts'
import { get } from './support/send.ts'
import { until } from './support/wait.ts'

/** Tasks in three contexts, brought to every state in every way that a client has, a second apart. */
async function everyKindOfTask({
  probe,
  clock,
  send,
}: Awaited<ReturnType<typeof startAt>>): Promise<string[]> {
  const ids: string[] = []
  const decide = (what: string) => async (id: string) => {
    await fetch(`${probe.url}/${what}/${id}`, { method: 'POST' })
    await until('the end', async () => isTerminal((await get(probe, id)).status.state))
  }
  const message = (id: string) => send('an answer', { taskId: id })
  const cancel = (id: string) => probe.call('JSONRPC', 'CancelTask', { id })
  const ways: [script: string, ...then: ((id: string) => Promise<unknown>)[]][] = [
    ['complete'],
    ['fail'],
    ['reject'],
    ['throw'],
    ['ask'],
    ['ask', message],
    ['ask', cancel],
    ['working; ask; ask', message],
    ['working; ask; ask', message, message],
    ['ask; fail', message],
    ['authorize'],
    ['authorize', message],
    ['authorize', cancel],
    ['authorize', decide('approve')],
    ['authorize', decide('deny')],
    ['authorize', message, decide('approve')],
  ]
  for (const contextId of ['one', 'two', 'three']) {
    for (const [script, ...then] of ways) {
      const { id } = await send(script, { contextId })
      ids.push(id)
      for (const act of then) await act(id)
      clock.time += 1000
    }
  }
  for (const text of ['hang', 'working; hang']) {
    const configuration = { returnImmediately: true }
    const params = { message: userMessage(text), configuration }
    ids.push((await probe.call('JSONRPC', 'SendMessage', params)).result.task.id)
  }
  const working = ids.at(-1)!
  await until('working', async () => (await get(probe, working)).status.state === 'TASK_STATE_WORKING')
  return ids
}

test.each(bindings)(
  'over %s every combination of filters gives the tasks that fit, and their number',
  async (binding) => {
    const world = await startAt()
    const ids = await everyKindOfTask(world)
    const tasks = await Promise.all(ids.map((id) => get(world.probe, id)))
    const states = [...new Set(tasks.map(({ status }) => status.state))]
    expect(states).toHaveLength(8)
    const at = start + 20_000
    for (const contextId of [undefined, 'one', 'three', 'unknown']) {
      for (const status of [undefined, ...states]) {
        for (const statusTimestampAfter of [undefined, iso(at), iso(at + 1), '2027-01-01T00:00:00Z']) {
          const filters = { contextId, status, statusTimestampAfter }
          const fitting = tasks.filter(
            (task) =>
              (contextId === undefined || task.contextId === contextId) &&
              (status === undefined || task.status.state === status) &&
              (statusTimestampAfter === undefined || task.status.timestamp! >= statusTimestampAfter),
          )
          const params = JSON.parse(JSON.stringify({ ...filters, pageSize: 100 }))
          const answer = await list(world.probe, binding, params)
          expect({ filters, total: answer.totalSize }).toEqual({ filters, total: fitting.length })
          expect(idsOf(answer.tasks).sort()).toEqual(idsOf(fitting).sort())
        }
      }
    }
  },
)

test.each(bindings)(
  'over %s the newest status comes first, and a task that changes moves to the front [CORE-LIST-003]',
  async (binding) => {
    const { probe, clock, send } = await startAt()
    const made = []
    for (const text of ['ask', 'complete', 'ask', 'complete']) {
      made.push(await send(text))
      clock.time += 1
    }
    const [first, second, third, fourth] = idsOf(made)
    expect(idsOf((await list(probe, binding, {})).tasks)).toEqual([fourth, third, second, first])
    await send('an answer', { taskId: first })
    expect(idsOf((await list(probe, binding, {})).tasks)).toEqual([first, fourth, third, second])
    const { tasks } = await list(probe, binding, { status: 'TASK_STATE_COMPLETED' })
    expect(idsOf(tasks)).toEqual([first, fourth, second])
  },
)

test.each(bindings)(
  'over %s the time filter takes any form of a time, and times between milliseconds [DM-SERIAL-003]',
  async (binding) => {
    const { probe, clock, send } = await startAt()
    const { id: before } = await send('complete')
    clock.time += 1
    const { id: after } = await send('complete')
    for (const [time, ids] of [
      ['2026-10-06T09:00:00Z', [after, before]],
      ['2026-10-06T09:00:00.000000000Z', [after, before]],
      ['2026-10-06T11:00:00.000+02:00', [after, before]],
      ['2026-10-06T09:00:00.000001Z', [after]],
      ['2026-10-06T09:00:00.001Z', [after]],
      ['2026-10-06T09:00:00.0011Z', []],
      ['1969-12-31T23:59:59Z', [after, before]],
    ] as const) {
      const { tasks } = await list(probe, binding, { statusTimestampAfter: time })
      expect({ time, ids: idsOf(tasks) }).toEqual({ time, ids })
    }
  },
)

test.each(bindings)(
  'over %s artifacts come only when they are asked for, and else have no field [CORE-LIST-005]',
  async (binding) => {
    const { probe, send } = await startAt()
    const task = await send('artifact a b; artifact c d')
    const { artifacts, ...bare } = task
    expect(artifacts).toHaveLength(2)
    expect((await list(probe, binding, {})).tasks).toEqual([bare])
    expect((await list(probe, binding, { includeArtifacts: false })).tasks).toEqual([bare])
    expect((await list(probe, binding, { includeArtifacts: true })).tasks).toEqual([task])
    const { history: _, ...short } = bare
    expect((await list(probe, binding, { historyLength: 0 })).tasks).toEqual([short])
  },
)

test.each(jsonBindings)('over %s the parameters may come by their proto names', async (binding) => {
  const { probe, send } = await startAt()
  const { id } = await send('ask what?')
  const { contextId } = await send('artifact a b', { taskId: id })
  await send('complete', { contextId })
  const camel = {
    contextId,
    pageSize: 1,
    historyLength: 1,
    includeArtifacts: true,
    statusTimestampAfter: iso(start),
  }
  const first = await list(probe, binding, camel)
  const snake = {
    context_id: contextId,
    page_size: 1,
    history_length: 1,
    include_artifacts: true,
    status_timestamp_after: iso(start),
  }
  expect(await list(probe, binding, snake)).toEqual(first)
  const second = await list(probe, binding, { ...camel, pageToken: first.nextPageToken })
  expect(idsOf(second.tasks)).toEqual([id])
  expect(await list(probe, binding, { ...snake, page_token: first.nextPageToken })).toEqual(second)
  const { result } = await probe.call(binding, 'GetTask', { id, history_length: 1 })
  expect(result).toEqual(second.tasks[0])
})
