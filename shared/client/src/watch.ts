// Follows a task through drops, restarts and waits until it is terminal.
import { A2AError, isInterrupted, isTerminal, type Task } from '@a2a-kit/task-core/protocol'
import { backoff, type Patience } from './backoff.ts'
import { isPassing, isUnauthenticated } from './errors.ts'
import { sightings, type WatchedEvent } from './sightings.ts'
import type { StreamEvent } from './transport.ts'

/** What watching needs of an agent. */
export interface Watched {
  /** For errors. */
  what: string
  /** Does it stream at all (`capabilities.streaming`)? */
  streams: boolean
  /** Does it declare the replay extension? */
  replays: boolean
  /** One try of SubscribeToTask; `lastEventId` is set only where the agent replays. */
  subscribe(
    taskId: string,
    options: { lastEventId: string | undefined; signal: AbortSignal | undefined },
  ): Promise<AsyncIterable<StreamEvent>>
  /** GetTask with its retries. */
  getTask(taskId: string, options: { signal: AbortSignal | undefined }): Promise<Task>
}

export interface WatchOptions {
  /** The last event that was seen before, where the agent replays. */
  lastEventId?: string
  signal?: AbortSignal
}

const isEnd = ({ task }: WatchedEvent) => isTerminal(task.status.state)
const isUnsupported = (error: unknown) =>
  error instanceof A2AError && error.name === 'UnsupportedOperationError'
const isNotFound = (error: unknown) => error instanceof A2AError && error.name === 'TaskNotFoundError'

/**
 * Each event of the task once, from a `task` event to the event that ends it. A lost stream is taken up again after a
 * pause; the agent is given up when `retry.attempts` tries or `retry.totalMs` bring nothing new.
 * @throws GaveUpError; A2AError such as TaskNotFoundError; the signal's reason
 */
export async function* watch(
  agent: Watched,
  taskId: string,
  { lastEventId, signal }: WatchOptions,
  patience: Patience,
): AsyncGenerator<WatchedEvent> {
  const { world, retry } = patience
  const seen = sightings(taskId, { replays: agent.replays, lastEventId })
  const drops = backoff(`task ${taskId} of ${agent.what}`, patience)
  const calm = backoff(agent.what, patience)
  let streams = agent.streams
  let resting = false

  while (true) {
    const openedAt = world.now()
    let frames = 0
    let told = 0
    let subscribing = streams && !resting
    resting = false
    try {
      if (subscribing) {
        const from = agent.replays ? seen.lastEventId : undefined
        for await (const event of await agent.subscribe(taskId, { lastEventId: from, signal })) {
          frames++
          const news = seen.event(event)
          if (!news) continue
          told++
          const end = isEnd(news)
          yield end && !agent.replays ? await asStored(agent, news, { signal, patience }) : news
          if (end) return
        }
      }
      subscribing = false
      const task = await agent.getTask(taskId, { signal })
      // A replay will bring what this snapshot shows, event by event.
      const news = agent.replays && told > 0 ? undefined : seen.snapshot(task)
      if (news) yield news
      if (news && isEnd(news)) return
      const moved = seen.moved()
      if (moved) calm.reset()
      if (!moved || !streams) await calm.pause(signal)
    } catch (error) {
      signal?.throwIfAborted()
      if (seen.moved()) {
        drops.reset()
        calm.reset()
      }
      if (streams && isUnsupported(error)) {
        // The task has ended in between, or this agent does not stream after all: GetTask tells.
        streams = false
      } else if (subscribing && isNotFound(error)) {
        // Some say that of a task that waits or has ended, which they have no stream of: GetTask tells.
        resting = true
      } else if (!isPassing(error) && !(frames > 0 && isUnauthenticated(error))) {
        // A token that expires ends its stream: the next try tells whether there is another one.
        throw error
      } else if (frames > 0 && (waits(seen.task) || world.now() - openedAt >= retry.longestMs)) {
        // The agent is there: its task waits for somebody, or the network does not hold a quiet stream for long.
        drops.reset()
        await calm.pause(signal)
      } else {
        await drops.failed(error, signal)
      }
    }
  }
}

/** How often a task that its stream has ended is asked for until GetTask shows that end. */
const storedTries = 8

/**
 * The event that ends the task, with the task as the agent has stored it: without replay a stream may lose or repeat
 * what happened while it began, and what the events add up to is then not what was done.
 */
async function asStored(
  agent: Watched,
  news: WatchedEvent,
  { signal, patience }: { signal: AbortSignal | undefined; patience: Patience },
): Promise<WatchedEvent> {
  const behind = backoff(agent.what, patience)
  for (let tries = 1; ; tries++) {
    try {
      const task = await agent.getTask(news.task.id, { signal })
      if (isTerminal(task.status.state)) return { ...news, task }
    } catch {
      signal?.throwIfAborted()
      return news // it ended, and cannot be asked any more
    }
    if (tries === storedTries) return news
    await behind.pause(signal)
  }
}

const waits = (task: Task | undefined) => task !== undefined && isInterrupted(task.status.state)
