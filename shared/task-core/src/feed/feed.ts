// The feed: replays a task's events from the log, then goes on live. Streams, blocking waits and webhooks all read it.
import { endsBlockingWait } from '../protocol/index.ts'
import type { LoggedEvent, Store } from '../store/index.ts'

/** How much is read from the log at once, in events and characters: what a slow reader holds in memory. */
const page = { most: 16, enough: 64 * 1024 }

interface Watcher {
  /** Events that came while the watcher waited for just these. */
  fresh: LoggedEvent[] | undefined
  wake: (() => void) | undefined
  /** True once there is nothing more to read. */
  ended: boolean
}

export type Feed = ReturnType<typeof createFeed>

export function createFeed(store: Store) {
  const watchers = new Map<number, Set<Watcher>>()
  /** The last event of each task that is under way: who has seen it need not ask the log, which is the dearest thing here. */
  const latest = new Map<number, number>()

  /**
   * The task's events after event `after`, in order, until the task is purged: the caller stops at the event that ends what it does, or by `signal`.
   * Holds no queue: a reader that is slower than the task reads on from the log.
   */
  async function* follow(task: number, after: number, signal: AbortSignal): AsyncGenerator<LoggedEvent> {
    const watcher: Watcher = { fresh: undefined, wake: undefined, ended: false }
    const wake = () => watcher.wake?.()
    const all = watchers.get(task) ?? new Set()
    watchers.set(task, all.add(watcher))
    signal.addEventListener('abort', wake)
    try {
      for (let seen = after; !signal.aborted && !watcher.ended; ) {
        let next = watcher.fresh
        watcher.fresh = undefined
        if (next?.[0]?.n !== seen + 1) {
          next = latest.get(task) === seen ? [] : store.committed.events.after(task, seen, page)
        }
        if (next.length === 0) {
          if (!latest.has(task) && !store.committed.tasks.get(task)) return // purged before this began
          await new Promise<void>((resolve) => {
            watcher.wake = resolve
          })
          watcher.wake = undefined
        }
        for (const event of next) {
          seen = event.n
          yield event
          if (signal.aborted || watcher.ended) return
        }
      }
    } finally {
      signal.removeEventListener('abort', wake)
      all.delete(watcher)
      if (all.size === 0) watchers.delete(task)
    }
  }

  /** Tells the task's watchers of events that were just committed. One that does not wait will find them in the log. */
  function publish(task: number, events: LoggedEvent[]): void {
    const { n, state } = events.at(-1)!
    if (state && endsBlockingWait(state)) latest.delete(task)
    else latest.set(task, n)
    for (const watcher of watchers.get(task) ?? []) {
      if (!watcher.wake) continue
      watcher.fresh = events
      watcher.wake()
    }
  }

  /** Ends the watches of a task that was purged: its log is gone. */
  function end(task: number): void {
    for (const watcher of watchers.get(task) ?? []) {
      watcher.ended = true
      watcher.wake?.()
    }
  }

  return { follow, publish, end, watching: () => watchers.size }
}
