// One reader's place in a task's log: what is stored behind it, then what happens.
import type { LoggedEvent, Store } from '../store/index.ts'

/** How much is read from the log at once, in events and characters: what a slow reader holds in memory. */
const page = { most: 16, enough: 64 * 1024 }

const nothing: readonly LoggedEvent[] = []

/** What the feed tells of a task. */
export interface Watcher {
  /** Events that were just committed. */
  heard(events: readonly LoggedEvent[]): void
  /** The task was purged: there is nothing more to hear. */
  purged(): void
}

export interface Reader {
  /** There is something to read, or the end. */
  more(): void
}

/** What all watches of a feed share. */
export interface WatchedLog {
  store: Store
  /** The last event of a task, where it is known: who has seen it need not ask the log, which is the dearest thing here. */
  latest: Map<number, number>
  remove(task: number, watcher: Watcher): void
}

/**
 * Holds no queue: a reader that is slower than the task reads on from the log. A class, since there are thousands that wait: closures of
 * its own, or a generator and its promises, would make each several times as large.
 */
export class Watch implements Watcher {
  /** True once it is closed, or the task was purged. */
  ended = false
  reader: Reader | undefined
  #waits = false
  #page = nothing
  #at = 0
  readonly #log: WatchedLog
  readonly #task: number
  #seen: number

  constructor(log: WatchedLog, task: number, after: number) {
    this.#log = log
    this.#task = task
    this.#seen = after
  }

  /** The next event; undefined if there is none yet, or no more once it has `ended`. */
  next(): LoggedEvent | undefined {
    if (this.ended) return undefined
    if (this.#at === this.#page.length) this.#readOn()
    const event = this.#page[this.#at]
    this.#waits = event === undefined
    if (!event) return undefined
    this.#at += 1
    this.#seen = event.n
    return event
  }

  #readOn(): void {
    const { store, latest } = this.#log
    this.#at = 0
    this.#page = nothing
    if (latest.get(this.#task) === this.#seen) return
    this.#page = store.committed.events.after(this.#task, this.#seen, page)
    if (this.#page.length > 0 || latest.has(this.#task)) return
    if (store.committed.tasks.get(this.#task)) latest.set(this.#task, this.#seen)
    else this.close() // purged before this began
  }

  /** A reader that does not wait for them will find them in the log. */
  heard(events: readonly LoggedEvent[]): void {
    if (!this.#waits) return
    this.#waits = false
    if (events[0]?.n === this.#seen + 1) this.#page = events
    this.reader?.more()
  }

  purged(): void {
    this.close()
    this.reader?.more()
  }

  close(): void {
    this.ended = true
    this.#log.remove(this.#task, this)
  }
}
