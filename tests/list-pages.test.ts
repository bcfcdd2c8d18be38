// The pages of ListTasks (§3.1.4): they cover the list once, hold while tasks change, and belong to their filters.
import type { Task } from '@a2a-kit/task-core/protocol'
import { expect, test } from 'vitest'
import { isSayable } from './support/grpc.ts'
import { idsOf, iso, list, start, startAt } from './support/list.ts'
import { type Binding, bindings, type Probe } from './support/probe.ts'
import { expectRefusal } from './support/refusals.ts'

/** The ids of each page, from the first to the last; `between` is called after each page but the last. */
async function pages(
  probe: Probe,
  binding: Binding,
  params: object,
  between: () => Promise<unknown> = async () => {},
) {
  const seen: string[][] = []
  for (let pageToken = ''; ; ) {
    const page = await list(probe, binding, pageToken ? { ...params, pageToken } : params)
    seen.push(idsOf(page.tasks))
    if (page.nextPageToken === '') return seen
    pageToken = page.nextPageToken
    await between()
  }
}

test.each(bindings)(
  'over %s pages cover the list once, also where many statuses have one time [CORE-LIST-002] [CORE-LIST-004]',
  async (binding) => {
    const { probe, clock, send } = await startAt()
    const made: string[] = []
    for (let nth = 0; nth < 12; nth += 1) {
      if (nth % 5 === 4) clock.time += 1
      made.unshift((await send('complete', nth % 2 ? { contextId: 'odd' } : {})).id)
    }
    for (const pageSize of [1, 2, 3, 4, 5, 11, 12, 13]) {
      const seen = await pages(probe, binding, { pageSize })
      expect(seen.flat()).toEqual(made)
      expect(seen).toHaveLength(Math.ceil(12 / pageSize))
      expect(seen.slice(0, -1).every((page) => page.length === pageSize)).toBe(true)
    }
    const odd = made.filter((_, index) => index % 2 === 0)
    expect((await pages(probe, binding, { pageSize: 2, contextId: 'odd' })).flat()).toEqual(odd)
  },
)

test.each(bindings)(
  'over %s pages repeat nothing and skip nothing that stays, while tasks change [CORE-LIST-002]',
  async (binding) => {
    const { probe, clock, send } = await startAt()
    const made: Task[] = []
    for (let nth = 0; nth < 20; nth += 1) {
      made.push(await send(nth % 4 === 0 ? 'ask; ask; ask' : 'complete'))
      clock.time += nth % 3
    }
    const asking = made.filter(({ status }) => status.state === 'TASK_STATE_INPUT_REQUIRED')
    const changed: string[] = []
    // After each page the newest of those that wait changes, then the oldest, and so on; and a task is made.
    const seen = await pages(probe, binding, { pageSize: 3 }, async () => {
      clock.time += 1
      const task = changed.length % 2 ? asking.shift() : asking.pop()
      if (task) {
        await send('an answer', { taskId: task.id })
        changed.push(task.id)
      }
      await send('complete')
    })
    const listed = seen.flat()
    expect(new Set(listed).size).toBe(listed.length)
    const unchanged = idsOf(made).filter((id) => !changed.includes(id))
    expect(listed.filter((id) => unchanged.includes(id))).toEqual(unchanged.reverse())
    expect(changed.length).toBeGreaterThan(3)
  },
)

test.each(bindings)(
  'over %s a page token holds for the filters that it was given for, and for no others',
  async (binding) => {
    const { probe, send } = await startAt()
    for (const text of ['complete', 'complete', 'fail']) await send(text, { contextId: 'one' })
    const filters = { contextId: 'one', status: 'TASK_STATE_COMPLETED', statusTimestampAfter: iso(start) }
    const { nextPageToken: pageToken } = await list(probe, binding, { ...filters, pageSize: 1 })
    for (const other of [
      { contextId: 'two' },
      { status: 'TASK_STATE_FAILED' },
      { statusTimestampAfter: iso(start - 1) },
    ]) {
      const answer = await probe.call(binding, 'ListTasks', { ...filters, ...other, pageToken })
      expectRefusal(answer, binding, 'INVALID_PARAMS', ['pageToken'])
    }
    expectRefusal(await probe.call(binding, 'ListTasks', { pageToken }), binding, 'INVALID_PARAMS', [
      'pageToken',
    ])
    const same = { ...filters, statusTimestampAfter: '2026-10-06T11:00:00+02:00', includeArtifacts: true }
    const { tasks, totalSize } = await list(probe, binding, {
      ...same,
      pageSize: 7,
      historyLength: 0,
      pageToken,
    })
    expect([tasks.length, totalSize]).toEqual([1, 2])
  },
)

test.each(bindings)('over %s a page token that the agent did not give is refused', async (binding) => {
  const { probe, send } = await startAt()
  for (const text of ['complete', 'complete']) await send(text)
  const { nextPageToken } = await list(probe, binding, { pageSize: 1 })
  const foreign = Buffer.from('1.1.00000000').toString('base64url')
  for (const pageToken of [
    'x',
    '0',
    foreign,
    nextPageToken.slice(1),
    `A${nextPageToken}`,
    '🙂',
    "' OR 1=1",
  ]) {
    const answer = await probe.call(binding, 'ListTasks', { pageToken })
    expectRefusal(answer, binding, 'INVALID_PARAMS', ['pageToken'])
  }
  expect((await list(probe, binding, { pageToken: '' })).tasks).toHaveLength(2)
})

test.each(bindings)('over %s a page has from 1 to 100 tasks, 50 by default, and says so', async (binding) => {
  const { probe, send } = await startAt()
  for (const pageSize of [0, -1, 101, 1.5, 'ten', 2 ** 31]) {
    if (!isSayable(binding, 'ListTasks', { pageSize })) continue
    const answer = await probe.call(binding, 'ListTasks', { pageSize })
    expectRefusal(answer, binding, 'INVALID_PARAMS', ['pageSize'])
  }
  const empty = { tasks: [], nextPageToken: '', pageSize: 50, totalSize: 0 }
  expect(await list(probe, binding, {})).toEqual(empty)
  await Promise.all(Array.from({ length: 51 }, () => send('complete')))
  for (const [params, length] of [
    [{}, 50],
    [{ pageSize: 1 }, 1],
    [{ pageSize: '51' }, 51],
    [{ pageSize: 100 }, 51],
  ] as const) {
    const { tasks, pageSize, totalSize, nextPageToken } = await list(probe, binding, params)
    expect([tasks.length, totalSize, nextPageToken === '']).toEqual([length, 51, length === 51])
    expect(pageSize).toBe(Number('pageSize' in params ? params.pageSize : 50))
  }
})
