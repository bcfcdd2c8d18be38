// The feed: replays a task's events from the log, then goes on live. Streams and blocking waits both read it.
import { endsBlockingWait } from '../protocol/index.ts'
import { Register } from '../register.ts'
import type { LoggedEvent, Store } from '../store/index.ts'
import { Watch, type Watcher } from './watch.ts'

export type Feed = ReturnType<typeof createFeed>

export function createFeed(store: Store) {
  const watchers = new Register<number, Set<Watcher>>()
  /** The last event of each task that is under way or watched. */
  const latest = new Map<number, number>()
  const log = { store, latest, remove }

  function add(task: number, watcher: Watcher): void {
    const all = watchers.get(task)
    if (all) all.add(watcher)
    else watchers.set(task, new Set([watcher]))
  }

  function remove(task: number, watcher: Watcher): void {
    const all = watchers.get(task)
    if (!all?.delete(watcher) || all.size > 0) return
    watchers.delete(task)
    latest.delete(task) // of a task that is under way, the next event says it again
  }

  /** The task's events after event `after`, in order, until the task is purged. Whoever watches closes it. */
  function watch(task: number, after: number): Watch {
    const one = new Watch(log, task, after)
    add(task, one)
    return one
  }

  /** Calls `then` once: at the task's next event that ends blocking waits, when it is purged, or when this is closed. */
  function onSettled(task: number, then: () => void): { close(): void } {
    const watcher = {
      heard(events: readonly LoggedEvent[]) {
        if (events.some(({ state }) => state && endsBlockingWait(state))) watcher.close()
      },
      purged: () => watcher.close(),
      close() {
        remove(task, watcher)
        then()
      },
    }
    add(task, watcher)
    return watcher
  }

  /** Tells the task's watchers of events that were just committed. */
  function publish(task: number, events: readonly LoggedEvent[]): void {
    const { n, state } = events.at(-1)!
    const watching = watchers.get(task)
    if (watching || !state || !endsBlockingWait(state)) latest.set(task, n)
    else latest.delete(task)
    for (const watcher of watching ?? []) watcher.heard(events)
  }

  /** Ends the watches of a task that was purged: its log is gone. */
  function end(task: number): void {
    for (const watcher of watchers.get(task) ?? []) watcher.purged()
  }

  return {
    watch,
    onSettled,
    /** Whether event `n` is known to be the last one of the task. */
    isLatest: (task: number, n: number): boolean => latest.get(task) === n,
    publish,
    end,
    /** How many watch. */
    watching: (): number => [...watchers.values()].reduce((sum, all) => sum + all.size, 0),
  }
}
