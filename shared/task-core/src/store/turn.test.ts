import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { realWorld } from '../world.ts'
import { openStore, type TaskRow } from './index.ts'

async function open() {
  const folder = await mkdtemp(join(tmpdir(), 'a2a-kit-'))
  const store = openStore(join(folder, 'test.db'), realWorld)
  onTestFinished(async () => {
    store.close()
    await rm(folder, { recursive: true })
  })
  return store
}
type Store = Awaited<ReturnType<typeof open>>

const blank = {
  owner: 'me',
  contextId: 'C',
  state: 'TASK_STATE_SUBMITTED',
  status: '{}',
  statusTime: 0,
  history: '[]',
  artifactsSize: 0,
  artifactsTail: 0,
  snapshot: null,
  snapshotEvent: 0,
  artifacts: 0,
  artifactBytes: 0,
  metadata: null,
  lastEvent: 1,
  due: 1,
  wait: null,
  expiresAt: null,
  cancel: null,
  push: 0,
  trace: null,
} as const

/** Makes a task in the turn that is open. */
function make({ writing }: Store): TaskRow {
  const task = writing.tasks.newKey()
  const row: TaskRow = { ...blank, task, id: `task ${task}` }
  writing.events.append(task, { n: 1, frame: '{"task":1}', state: row.state })
  writing.tasks.insert(row)
  return row
}

test('the writer reads what its turn has made, and nobody else does before the commit', async () => {
  const store = await open()
  const { writing, committed } = store
  const { task } = store.append(() => make(store))
  store.append(() => {
    writing.records.put(task, 'working#1', true)
    writing.messages.insert('me', 'M', 'digest', task)
  })
  expect(writing.tasks.get(task)?.id).toBe('task 1')
  expect(writing.records.get(task, 'working#1')).toBe(true)
  expect(writing.messages.find('me', 'M')).toEqual({ digest: 'digest', task })
  expect([writing.tasks.openOf('me'), writing.tasks.contextOwner('C')]).toEqual([1, 'me'])
  expect([...writing.events.between(task, 0, 9)]).toHaveLength(1)
  expect([committed.tasks.get(task), committed.list.total({ owner: 'me' })]).toEqual([undefined, 0])
  await store.stored()
  expect(committed.tasks.get(task)?.id).toBe('task 1')
  expect(committed.list.total({ owner: 'me' })).toBe(1)
  expect(committed.records.get(task, 'working#1')).toBe(true)
})

test('work that throws leaves the turn as it was', async () => {
  const store = await open()
  const { writing, committed } = store
  const { task } = store.append(() => make(store))
  const fails = () =>
    store.append(() => {
      const row = writing.tasks.get(task)!
      Object.assign(row, { state: 'TASK_STATE_WORKING', lastEvent: 2 })
      writing.events.append(task, { n: 2, frame: '{}', state: 'TASK_STATE_WORKING' })
      writing.tasks.saveStatus(row, 'TASK_STATE_SUBMITTED')
      writing.events.saveSnapshot(task, 2, '[]')
      writing.records.put(task, 'working#1', true)
      writing.messages.insert('me', 'M', 'digest', task)
      make(store)
      throw new RangeError('no')
    })
  expect(fails).toThrow(RangeError)
  await store.stored()
  expect(committed.tasks.get(task)).toEqual({ ...blank, task, id: 'task 1' })
  expect([...committed.events.between(task, 0, 9)]).toHaveLength(1)
  expect(committed.events.snapshot(task)).toBeUndefined()
  expect(committed.records.keys(task)).toEqual([])
  expect(writing.messages.find('me', 'M')).toBeUndefined()
  expect(committed.list.total({ owner: 'me', state: 'TASK_STATE_SUBMITTED' })).toBe(1)
  expect(committed.list.total({ owner: 'me' })).toBe(1)
})

test('what was committed last is read as it is in the file', async () => {
  const store = await open()
  const { writing, committed } = store
  const { task } = store.append(() => make(store))
  await store.stored()
  const read = () => ({
    row: committed.tasks.get(task),
    snapshot: committed.events.snapshot(task),
    events: [0, 1, 2].map((n) =>
      committed.events.after(task, n, { most: 16, enough: 1000 }).map((one) => one.n),
    ),
  })
  store.append(() => {
    const row = writing.tasks.get(task)!
    Object.assign(row, { state: 'TASK_STATE_WORKING', lastEvent: 2, artifactsSize: 2 })
    writing.events.append(task, { n: 2, frame: '{}', state: 'TASK_STATE_WORKING' })
    writing.tasks.saveStatus(row, 'TASK_STATE_SUBMITTED')
    writing.events.saveSnapshot(task, 2, '[]')
  })
  await store.stored()
  const fresh = read()
  store.append(() => make(store)) // another commit, after which nothing of the task is at hand
  await store.stored()
  expect(fresh).toEqual(read())
  expect(fresh.events).toEqual([[1, 2], [2], []])
  expect(fresh.row?.state).toBe('TASK_STATE_WORKING')
})

test('a row that a write has changed past the turn is read anew', async () => {
  const store = await open()
  const { writing, committed } = store
  const { task } = store.append(() => make(store))
  await store.stored()
  const config = { id: 'P', url: 'http://x', token: null, scheme: null, credentials: null } as const
  await store.write(() => writing.pushConfigs.insert({ ...config, task, version: '1.0', delivered: 1 }))
  expect([committed.tasks.get(task)?.push, writing.tasks.get(task)?.push]).toEqual([1, 1])
})
