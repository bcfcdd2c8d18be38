// Purges the tasks that ended longer ago than they are kept: a small batch at a time, so that nobody waits for it.
import type { Core } from './core.ts'

/** What one batch may remove; a task goes whole. */
const most = { tasks: 50, events: 2000 }
/** How long others have between two batches, in ms. */
const pause = 20
/** How long what is still to be pushed is left alone, in ms. */
const blocked = 60_000
/** The clock may be set: it is looked at again after this, in ms. */
const longest = 3_600_000

/**
 * Purges a batch of what is due.
 * @returns after how many ms to call it again
 * @throws StoreError, and nothing was purged
 */
export async function purge({ store, feed, settings, world, log }: Core): Promise<number> {
  const { purge } = store.writing
  const before = world.now() - settings.taskRetention * 1000
  const due = purge.due(before, most.tasks)
  if (due.length > 0) {
    const purged = await store.write(() => {
      let [tasks, events] = [0, 0]
      for (const task of due) {
        if (events >= most.events) break
        events += purge.remove(task)
        tasks += 1
        store.afterCommit(() => feed.end(task))
      }
      return tasks
    })
    log.info({ purged }, 'Tasks that had ended were purged.')
    return pause
  }
  const oldest = purge.oldest()
  // What ends from now on is due later than this.
  const next = oldest === null ? settings.taskRetention * 1000 : oldest - before
  return Math.min(next > 0 ? next : blocked, longest)
}
