// Watches another agent's task in the background: the task as last seen, and a signal at each change.
import type { RemoteAgent } from '../../define-agent.ts'
import { isInterrupted, type Task } from '../../protocol/index.ts'

export interface Sight {
  task: Task
  eventId: string | undefined
  /** When the task last went on after a wait, by its own clock. */
  wentOnAt: string | undefined
}

export interface Observer {
  /** The task as last seen, once a frame has arrived: from then on nothing is missed. Rejects when the watch gave up. */
  sight(): Promise<Sight>
  /** Resolves at the next change after this call, or rejects with the reason when the watch gave up. */
  changed(): Promise<void>
}

/** Watches `taskId` from the event after `lastEventId` until `signal` aborts or the task ends. */
export function observe(
  agent: RemoteAgent,
  taskId: string,
  lastEventId: string | undefined,
  signal: AbortSignal,
): Observer {
  const first = Promise.withResolvers<void>()
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
      first.resolve()
      change.resolve()
      change = Promise.withResolvers()
    }
  }
  watch().catch((reason) => {
    for (const { promise, reject } of [first, change]) {
      promise.catch(() => {}) // whoever waits sees it; nobody has to
      reject(reason)
    }
  })

  return {
    async sight() {
      await first.promise
      return latest!
    },
    changed: () => change.promise,
  }
}
