// What happens when nobody decides or answers in time.
import type { Decision } from '../define-agent.ts'
import type { Core } from './core.ts'
import { digestOfWait, wakeFor } from './decide.ts'

/**
 * Ends the waits whose time has come: a question that nobody answered fails its task, an expired authorization is told to its run.
 * @returns when the next wait ends, in ms since the epoch, or undefined
 */
export async function expire(core: Core, start: (task: number) => void): Promise<number | undefined> {
  const { store, writer, world } = core
  const { tasks, records, authorizations } = store.writing
  return store.write(() => {
    const now = world.now()
    for (const task of tasks.expiredAt(now)) {
      const row = tasks.get(task)!
      const digest = digestOfWait(row.wait)
      if (digest === undefined) {
        const message = writer.say(row, 'Nobody answered the question in time.')
        writer.status(row, 'TASK_STATE_FAILED', { message })
        continue
      }
      const at = new Date(now).toISOString()
      authorizations.settle({ task, digest, outcome: 'expired', at: now, call: row.wait })
      records.put(task, row.wait!, { outcome: 'expired', at, digest } satisfies Decision)
      wakeFor(core, row)
      store.afterCommit(() => start(task))
    }
    return tasks.nextExpiry() ?? undefined
  })
}
