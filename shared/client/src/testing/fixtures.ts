// Small tasks, messages and events for tests, and a world whose clock moves only by sleeping.
import type {
  Message,
  StreamResponse,
  Task,
  TaskArtifactUpdateEvent,
  TaskState,
} from '@a2a-kit/task-core/protocol'
import type { World } from '../backoff.ts'

export const hello: Message = { messageId: 'm1', role: 'ROLE_USER', parts: [{ text: 'hello' }] }

export const taskIn = (state: TaskState, more: Partial<Task> = {}): Task => ({
  id: 'T',
  contextId: 'C',
  status: { state },
  ...more,
})

export const statusOf = (state: TaskState): StreamResponse => ({
  statusUpdate: { taskId: 'T', contextId: 'C', status: { state } },
})

export const chunkOf = (text: string, more: Partial<TaskArtifactUpdateEvent> = {}): StreamResponse => ({
  artifactUpdate: {
    taskId: 'T',
    contextId: 'C',
    artifact: { artifactId: 'a1', parts: [{ text }] },
    append: true,
    ...more,
  },
})

/** Sleeps take no time but move the clock; `pauses` holds their lengths in ms. */
export function quickWorld(random = () => 1): World & { pauses: number[] } {
  let clock = 0
  const pauses: number[] = []
  return {
    pauses,
    now: () => clock,
    random,
    async sleep(ms, signal) {
      signal?.throwIfAborted()
      clock += ms
      pauses.push(ms)
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

/** All that an iteration gives, and the error that it ends with, if any. */
export async function drain<T>(events: AsyncIterable<T>): Promise<{ got: T[]; error?: unknown }> {
  const got: T[] = []
  try {
    for await (const event of events) got.push(event)
    return { got }
  } catch (error) {
    return { got, error }
  }
}
