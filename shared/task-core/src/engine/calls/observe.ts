// Watches another agent's task in the background: the task as last seen, and word of each change.
import { setTimeout as sleep } from 'node:timers/promises'
import type { RemoteAgent } from '../../define-agent.ts'
import { A2AError, isInterrupted, type Task } from '../../protocol/index.ts'

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

export interface ObserveOptions {
  /** The last event that was seen before. */
  lastEventId: string | undefined
  signal: AbortSignal
  /** Whether this task waits for the other: then a peer that is away is waited for too. */
  waits: () => boolean
}

/** How long a peer that is away is left alone before it is watched again, in ms. */
const pause = 1000

/** Watches `taskId` until `signal` aborts or the task ends. */
export function observe(
  agent: RemoteAgent,
  taskId: string,
  { lastEventId, signal, waits }: ObserveOptions,
): Observer {
  let latest: Sight | undefined
  let change = Promise.withResolvers<void>()

  async function watch(): Promise<void> {
    const last = latest?.eventId ?? lastEventId
    const from = last === undefined ? {} : { lastEventId: last }
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
  async function keepWatching(): Promise<void> {
    for (;;) {
      try {
        return await watch()
      } catch (error) {
        if (signal.aborted || error instanceof A2AError || !waits()) throw error
        await sleep(pause, undefined, { signal })
      }
    }
  }
  keepWatching().catch((reason) => {
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
