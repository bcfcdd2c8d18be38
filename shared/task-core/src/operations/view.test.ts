import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { createWriter } from '../engine/writer.ts'
import { createFeed } from '../feed/feed.ts'
import { type FoldableEvent, fold, type Message, type StreamResponse, type Task } from '../protocol/index.ts'
import { openStore, type TaskRow } from '../store/index.ts'
import { realWorld } from '../world.ts'
import { taskJson } from './view.ts'

const folder = await mkdtemp(join(tmpdir(), 'a2a-kit-'))
const store = openStore(join(folder, 'writer.db'), realWorld)
const feed = createFeed(store)
const log = pino({ level: 'silent' })
const writer = createWriter({ store, feed, pushes: { wake: () => {} }, world: realWorld, log })
afterAll(async () => {
  store.close()
  await rm(folder, { recursive: true, force: true, maxRetries: 3 })
})

const said = (text: string): Message => ({ messageId: text, role: 'ROLE_USER', parts: [{ text }] })

/** One thing that an engine does to a task. */
type Act = (row: TaskRow) => void
const chunk = fc
  .record({
    id: fc.constantFrom('a1', 'a2'),
    text: fc.oneof(fc.string({ maxLength: 300 }), fc.constant('too large for its row '.repeat(100))),
    append: fc.boolean(),
    lastChunk: fc.boolean(),
  })
  .map(
    ({ id, text, ...flags }): Act =>
      (row) => {
        writer.artifact(row, { artifactId: id, parts: [{ text }] }, flags)
      },
  )
const progress = fc.string().map(
  (text): Act =>
    (row) => {
      writer.status(row, 'TASK_STATE_WORKING', { message: writer.say(row, text) })
    },
)
const question = fc
  .constantFrom('TASK_STATE_INPUT_REQUIRED' as const, 'TASK_STATE_AUTH_REQUIRED' as const)
  .map(
    (state): Act =>
      (row) => {
        writer.status(row, state, { message: writer.say(row, 'well?'), wait: 'ask#1', work: false })
        const { message } = JSON.parse(row.status)
        writer.status(row, 'TASK_STATE_WORKING', { history: [message, said('so')], work: true })
      },
  )
const anyAct = fc.oneof({ weight: 4, arbitrary: chunk }, progress, question)

async function append(work: () => void): Promise<void> {
  store.append(work)
  await store.stored()
}

/** The task as a client reads it. */
const read = (row: TaskRow): Task => JSON.parse(taskJson(row, store.committed.events))

const logged = (row: TaskRow): FoldableEvent[] =>
  [...store.committed.events.between(row.task, 0, row.lastEvent)].map(({ frame, history }) => ({
    frame: JSON.parse(frame) as StreamResponse,
    ...(history ? { history } : {}),
  }))

test('ARTIFACT-REDUCE: the log, folded, is the stored task, after any acts in any batches', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(anyAct, { maxLength: 8 }), { maxLength: 8 }), async (batches) => {
      const { task } = await store.write(() => writer.create('owner', said('do it')))
      for (const acts of batches) {
        // As the engine does: each takes the row anew, and is gathered or written at once.
        await Promise.all(
          acts.map((act, nth) =>
            (nth % 3 === 2 ? store.write : append)(() => act(store.writing.tasks.get(task)!)),
          ),
        )
        const row = store.committed.tasks.get(task)!
        expect(logged(row).reduce<Task | undefined>(fold, undefined)).toEqual(read(row))
      }
    }),
    { numRuns: 60 },
  )
})

test('the events of a task are numbered from 1 without a gap, and end with its end', async () => {
  const row = await store.write(() => writer.create('owner', said('do it')))
  await store.write(() => {
    for (let nth = 0; nth < 40; nth += 1) writer.status(row, 'TASK_STATE_WORKING')
    writer.status(row, 'TASK_STATE_COMPLETED')
  })
  const numbers = [...store.committed.events.between(row.task, 0, 999)].map(({ n }) => n)
  expect(numbers).toEqual(Array.from({ length: 42 }, (_, index) => index + 1))
  await expect(store.write(() => writer.status(row, 'TASK_STATE_WORKING'))).rejects.toThrow('cannot go from')
  expect(store.committed.tasks.get(row.task)!.state).toBe('TASK_STATE_COMPLETED')
})

test('a write that throws leaves nothing of itself', async () => {
  const { task } = await store.write(() => writer.create('owner', said('do it')))
  const before = store.committed.tasks.get(task)
  const failing = store.write(() => {
    writer.status(store.writing.tasks.get(task)!, 'TASK_STATE_WORKING')
    throw new Error('no')
  })
  const beside = store.write(() => writer.create('owner', said('another')))
  await expect(failing).rejects.toThrow('no')
  await beside
  expect(store.committed.tasks.get(task)).toEqual(before)
  expect([...store.committed.events.between(task, 0, 999)]).toHaveLength(1)
})
