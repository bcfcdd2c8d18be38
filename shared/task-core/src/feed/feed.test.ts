import { expect, test } from 'vitest'
import type { LoggedEvent, Store } from '../store/index.ts'
import { createFeed } from './feed.ts'

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

/** Reads `count` events, and gives their numbers. */
async function take(events: AsyncGenerator<LoggedEvent>, count: number): Promise<number[]> {
  const numbers: number[] = []
  while (numbers.length < count) numbers.push((await events.next()).value.n)
  return numbers
}

const { signal } = new AbortController()
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('a watcher gets what is in the log after its event, and then what happens', async () => {
  const { feed, happen, reads } = logged(1, 1, 1)
  const events = feed.follow(task, 1, signal)
  expect(await take(events, 2)).toEqual([2, 3])
  const next = take(events, 1)
  await settled()
  const before = reads.length
  happen()
  expect(await next).toEqual([4])
  expect(reads.length, 'reads of the log for an event that came while it was waited for').toBe(before)
})

test('events of one commit, and those that come while a watcher is busy, are read from the log: each once, in order', async () => {
  const { feed, happen, store, publish } = logged()
  const events = feed.follow(task, 0, signal)
  const first = take(events, 1)
  await settled()
  const [one, two] = [store(), store()]
  publish([one])
  publish([two])
  expect(await first).toEqual([1])
  happen()
  happen()
  expect(await take(events, 3)).toEqual([2, 3, 4])
  const last = take(events, 1)
  await settled()
  happen()
  expect(await last).toEqual([5])
})

test('a reader holds a page and no more, counted in events and in characters', async () => {
  const many = logged(...Array(100).fill(1))
  expect(await take(many.feed.follow(task, 0, signal), 100)).toHaveLength(100)
  expect(many.reads).toEqual([0, 16, 32, 48, 64, 80, 96])
  const large = logged(...Array(4).fill(50_000))
  expect(await take(large.feed.follow(task, 0, signal), 4)).toEqual([1, 2, 3, 4])
  expect(large.reads).toEqual([0, 2])
})

test('watchers do not take events from each other, and one that ends leaves the others', async () => {
  const { feed, happen } = logged()
  const [one, two] = [feed.follow(task, 0, signal), feed.follow(task, 0, signal)]
  const both = [take(one, 1), take(two, 1)]
  await settled()
  happen()
  expect(await Promise.all(both)).toEqual([[1], [1]])
  await one.return(undefined)
  const next = take(two, 1)
  await settled()
  happen()
  expect(await next).toEqual([2])
  expect(feed.watching()).toBe(1)
  await two.return(undefined)
  expect(feed.watching()).toBe(0)
})

test('an abort ends a watcher that waits, and one that is in the middle of a page', async () => {
  const { feed } = logged(1, 1)
  const leaving = new AbortController()
  const waiting = feed.follow(task, 2, leaving.signal)
  const reading = feed.follow(task, 0, leaving.signal)
  const end = waiting.next()
  expect(await take(reading, 1)).toEqual([1])
  await settled()
  leaving.abort()
  expect(await end).toEqual({ done: true, value: undefined })
  expect(await reading.next()).toEqual({ done: true, value: undefined })
  expect(feed.watching()).toBe(0)
  expect((await feed.follow(task, 0, AbortSignal.abort()).next()).done).toBe(true)
  expect(feed.watching()).toBe(0)
})

test('who has seen the last event of a task that is under way waits for the next one without reading the log', async () => {
  const { feed, happen, reads } = logged()
  happen()
  const next = take(feed.follow(task, 1, signal), 1)
  await settled()
  happen()
  expect(await next).toEqual([2])
  expect(reads).toEqual([])
})

test('a task that was purged ends its watchers, those that wait and those in the middle of a page', async () => {
  const { feed } = logged(1, 1)
  const waiting = feed.follow(task, 2, signal)
  const reading = feed.follow(task, 0, signal)
  const end = waiting.next()
  expect(await take(reading, 1)).toEqual([1])
  await settled()
  feed.end(task)
  expect(await end).toEqual({ done: true, value: undefined })
  expect(await reading.next()).toEqual({ done: true, value: undefined })
  expect(feed.watching()).toBe(0)
})

test('who comes to a task that was purged meanwhile is told at once that nothing follows', async () => {
  const { feed, known } = logged()
  known.there = false
  expect((await feed.follow(task, 2, signal).next()).done).toBe(true)
  expect(feed.watching()).toBe(0)
})
