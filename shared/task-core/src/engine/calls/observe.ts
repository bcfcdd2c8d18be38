// Watches another agent's task in the background: the task as last seen, and word of each change.
import type { RemoteAgent } from '../../define-agent.ts'
import { isInterrupted, type Task } from '../../protocol/index.ts'

export interface Sight {
  task: Task
  eventId: string | undefined
  /** When the task last went on after a wait, by its own clock. */
  wentOnAt: string | undefined
}

export interface Observer {
  /** The task as last seen, once that is another sight than `known`. Rejects with the reason when the watch has ended. */
  after(known?: Sight): Promise<Sight>
}

/** Watches `taskId` from the event after `lastEventId` until `signal` aborts or the task ends. */
export function observe(
  agent: RemoteAgent,
  taskId: string,
  lastEventId: string | undefined,
  signal: AbortSignal,
): Observer {
  let latest: Sight | undefined
  let change = Promise.withResolvers<void>()

  async function watch(): Promise<void> {
    const from = lastEventId === undefined ? {} : { lastEventId }
    for await (const { task, eventId } of agent.watch(taskId, { ...from, signal })) {
      const wentOn = latest && isInterrupted(latest.task.status.state) && !isInterrupted(task.status.state)
      latest = {
        task,
        eventId: eventId ?? latest?.eventId,
        wentOnAt: wentOn ? task.status.timestamp : latest?.wentOnAt,
      }
      change.resolve()
      change = Promise.withResolvers()
    }
    signal.throwIfAborted()
    throw new Error(`the watch of task ${taskId} ended before the task`)
  }
  watch().catch((reason) => {
    change.promise.catch(() => {}) // whoever waits sees it; nobody has to
    change.reject(reason)
  })

  return {
    async after(known) {
      while (!latest || latest === known) await change.promise
      return latest
    },
  }
}
