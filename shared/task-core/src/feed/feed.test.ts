import { expect, test } from 'vitest'
import type { TaskState } from '../protocol/index.ts'
import type { LoggedEvent, Store } from '../store/index.ts'
import { createFeed } from './feed.ts'
import type { Watch } from './watch.ts'

const task = 7

/** A feed over a log in memory; `reads` counts how often the log was read. */
function logged(...sizes: number[]) {
  const log: LoggedEvent[] = []
  const reads: number[] = []
  const after: Store['committed']['events']['after'] = (of, n, { most, enough }) => {
    expect(of).toBe(task)
    reads.push(n)
    const page: LoggedEvent[] = []
    for (let size = 0; size < enough && page.length < most && n + page.length < log.length; ) {
      page.push(log[n + page.length]!)
      size += page.at(-1)!.frame.length
    }
    return page
  }
  const known = { there: true }
  const tasks = { get: () => (known.there ? {} : undefined) }
  const feed = createFeed({ committed: { events: { after }, tasks } } as unknown as Store)
  const store = (size = 1) => {
    const event: LoggedEvent = { n: log.length + 1, frame: 'x'.repeat(size), state: undefined }
    log.push(event)
    return event
  }
  for (const size of sizes) store(size)
  const publish = (events: LoggedEvent[]) => feed.publish(task, events)
  return { feed, reads, store, publish, known, happen: (size?: number) => publish([store(size)]) }
}

/** Reads `count` events as they come, and gives their numbers. */
async function take(watch: Watch, count: number): Promise<number[]> {
  const numbers: number[] = []
  while (numbers.length < count) {
    const event = watch.next()
    if (event) numbers.push(event.n)
    else await news(watch)
  }
  return numbers
}

/** Resolves when there is something to read, or the end. */
const news = (watch: Watch) =>
  new Promise<void>((resolve) => {
    watch.reader = { more: resolve }
  })

const hasEnded = (watch: Watch) => watch.next() === undefined && watch.ended

test('a watcher gets what is in the log after its event, and then what happens', async () => {
  const { feed, happen, reads } = logged(1, 1, 1)
  const watch = feed.watch(task, 1)
  expect(await take(watch, 2)).toEqual([2, 3])
  const next = take(watch, 1)
  const before = reads.length
  happen()
  expect(await next).toEqual([4])
  expect(reads.length, 'reads of the log for an event that came while it was waited for').toBe(before)
})

test('events of one commit, and those that come while a watcher is busy, are read from the log: each once, in order', async () => {
  const { feed, happen, store, publish } = logged()
  const watch = feed.watch(task, 0)
  const first = take(watch, 1)
  const [one, two] = [store(), store()]
  publish([one])
  publish([two])
  expect(await first).toEqual([1])
  happen()
  happen()
  expect(await take(watch, 3)).toEqual([2, 3, 4])
  const last = take(watch, 1)
  happen()
  expect(await last).toEqual([5])
})

test('a reader holds a page and no more, counted in events and in characters', async () => {
  const many = logged(...Array(100).fill(1))
  expect(await take(many.feed.watch(task, 0), 100)).toHaveLength(100)
  expect(many.reads).toEqual([0, 16, 32, 48, 64, 80, 96])
  const large = logged(...Array(4).fill(50_000))
  expect(await take(large.feed.watch(task, 0), 4)).toEqual([1, 2, 3, 4])
  expect(large.reads).toEqual([0, 2])
})

test('watchers do not take events from each other, and one that ends leaves the others', async () => {
  const { feed, happen } = logged()
  const [one, two] = [feed.watch(task, 0), feed.watch(task, 0)]
  const both = [take(one, 1), take(two, 1)]
  happen()
  expect(await Promise.all(both)).toEqual([[1], [1]])
  one.close()
  const next = take(two, 1)
  happen()
  expect(await next).toEqual([2])
  expect(hasEnded(one)).toBe(true)
  expect(feed.watching()).toBe(1)
  two.close()
  expect(feed.watching()).toBe(0)
})

test('a watcher that is closed in the middle of a page reads no more of it', async () => {
  const { feed } = logged(1, 1)
  const watch = feed.watch(task, 0)
  expect(await take(watch, 1)).toEqual([1])
  watch.close()
  expect(hasEnded(watch)).toBe(true)
})

test('who has seen the last event of a task that is under way waits for the next one without reading the log', async () => {
  const { feed, happen, reads } = logged()
  happen()
  const next = take(feed.watch(task, 1), 1)
  happen()
  expect(await next).toEqual([2])
  expect(reads).toEqual([])
})

test('of many who come to a task that waits, one asks the log whether there is more', () => {
  const { feed, reads } = logged(1, 1)
  for (let nth = 0; nth < 10; nth += 1) expect(feed.watch(task, 2).next()).toBeUndefined()
  expect(reads).toEqual([2])
})

test('a task that was purged ends its watchers, those that wait and those in the middle of a page', async () => {
  const { feed } = logged(1, 1)
  const waiting = feed.watch(task, 2)
  const reading = feed.watch(task, 0)
  expect(waiting.next()).toBeUndefined()
  const told = news(waiting)
  expect(await take(reading, 1)).toEqual([1])
  feed.end(task)
  await told
  expect([waiting, reading].map(hasEnded)).toEqual([true, true])
  expect(feed.watching()).toBe(0)
})

test('who comes to a task that was purged meanwhile is told at once that nothing follows', () => {
  const { feed, known } = logged()
  known.there = false
  expect(hasEnded(feed.watch(task, 2))).toBe(true)
  expect(feed.watching()).toBe(0)
})

test.each<TaskState>(['TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_AUTH_REQUIRED', 'TASK_STATE_COMPLETED'])(
  'who waits for a task to settle is told at %s, and not before',
  (state) => {
    const { feed, happen, store, publish } = logged()
    const told: string[] = []
    feed.onSettled(task, () => told.push('settled'))
    happen()
    publish([{ ...store(), state: 'TASK_STATE_WORKING' }])
    expect(told).toEqual([])
    publish([{ ...store(), state }])
    expect(told).toEqual(['settled'])
    expect(feed.watching()).toBe(0)
  },
)

test('who waits for a task to settle is told when it is purged, and when the wait is closed', () => {
  const { feed } = logged()
  const told: string[] = []
  feed.onSettled(task, () => told.push('purged'))
  feed.end(task)
  feed.onSettled(task, () => told.push('closed')).close()
  expect(told).toEqual(['purged', 'closed'])
  expect(feed.watching()).toBe(0)
})

test('nothing is kept of a task that is over and that nobody watches any more', async () => {
  const { feed, store, publish } = logged()
  const watch = feed.watch(task, 0)
  publish([{ ...store(), state: 'TASK_STATE_COMPLETED' }])
  expect(await take(watch, 1)).toEqual([1])
  expect(feed.isLatest(task, 1)).toBe(true)
  watch.close()
  expect(feed.isLatest(task, 1)).toBe(false)
})
