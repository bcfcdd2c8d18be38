// Another agent in a test's hands: one task, moved by the test; it takes messages as the kit's own agents do.
import type { RemoteAgent } from '@a2a-kit/task-core'
import {
  A2AError,
  fold,
  isInterrupted,
  isTerminal,
  type Message,
  type Part,
  type StreamResponse,
  type Task,
  type TaskState,
} from '@a2a-kit/task-core/protocol'

/** Every status has this time: who follows must not tell events apart by it. */
const timestamp = '2026-10-06T09:00:00.000Z'
const firstPlace = { taskId: 'remote-task', contextId: 'remote-context' }

export type FakeRemote = ReturnType<typeof fakeRemote>

interface Past {
  frames: StreamResponse[]
  /** What was accepted, in order. */
  accepted: Message[]
}

/** An agent called `name`, as of `past`, by default new. */
export function fakeRemote(name = 'reviewer', past: Past = { frames: [], accepted: [] }) {
  const { frames, accepted } = past
  let place = firstPlace
  const stateAt = (n: number) =>
    frames
      .slice(0, n)
      .reduce<Task | undefined>((so, frame) => fold(so, { frame: structuredClone(frame) }), undefined)!
  let task: Task | undefined = stateAt(frames.length)
  let change = Promise.withResolvers<void>()
  let said = frames.length
  let visible = Number.POSITIVE_INFINITY
  let trouble: { down?: Error; losing?: boolean; gaveUp?: Error } = {}
  let watchers = 0
  let forgotten = 0
  /** How many of the accepted messages are forgotten too. */
  let purged = 0

  const changed = () => {
    change.resolve()
    change = Promise.withResolvers()
  }
  const untilChanged = (signal: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      const stop = () => reject(signal?.reason)
      signal?.addEventListener('abort', stop, { once: true })
      void change.promise.then(() => {
        signal?.removeEventListener('abort', stop)
        resolve()
      })
    })
  function add(frame: StreamResponse): void {
    frames.push(frame)
    task = fold(task, { frame: structuredClone(frame) })
    changed()
  }
  function enter(state: string, text?: string): void {
    const parts: Part[] = [{ text: text ?? '' }]
    const message = { messageId: `said-${++said}`, role: 'ROLE_AGENT' as const, ...place, parts }
    const status = { state: `TASK_STATE_${state}` as TaskState, timestamp, ...(text ? { message } : {}) }
    add({ statusUpdate: { ...place, status } })
  }
  function accept(message: Message): void {
    if (accepted.slice(purged).some(({ messageId }) => messageId === message.messageId)) return
    if (message.taskId === undefined) {
      const { taskId: id, contextId } = place
      add({ task: { id, contextId, status: { state: 'TASK_STATE_SUBMITTED', timestamp } } })
    } else if (!isInterrupted(task!.status.state)) {
      throw new A2AError('UnsupportedOperationError', `The task is in ${task!.status.state}.`)
    } else enter('WORKING')
    accepted.push(message)
  }
  const checkUp = () => {
    if (trouble.down) throw trouble.down
  }
  const checkKnown = (id: string | undefined) => {
    if (id !== undefined && id !== place.taskId)
      throw new A2AError('TaskNotFoundError', 'The task does not exist or is not accessible.')
  }

  const agent: RemoteAgent = {
    name,
    url: 'http://reviewer.example',
    async sendMessage(message, { returnImmediately, signal } = {}) {
      signal?.throwIfAborted()
      checkUp()
      checkKnown(message.taskId)
      accept(message)
      if (trouble.losing) {
        trouble = {}
        throw new Error('socket hang up')
      }
      const waits = () => !isInterrupted(task!.status.state) && !isTerminal(task!.status.state)
      while (!returnImmediately && waits()) {
        await untilChanged(signal)
        checkUp()
      }
      return { task: structuredClone(task!) }
    },
    async getTask(id) {
      checkUp()
      checkKnown(id)
      return structuredClone(task!)
    },
    async cancelTask() {
      checkUp()
      if (isTerminal(task!.status.state)) throw new A2AError('TaskNotCancelableError', 'It has ended.')
      enter('CANCELED', 'Nothing was reviewed.')
      return structuredClone(task!)
    },
    async *watch(id, { lastEventId, signal } = {}) {
      if (trouble.gaveUp) throw trouble.gaveUp
      checkKnown(id)
      watchers += 1
      try {
        let seen = lastEventId === undefined ? Math.min(frames.length, visible) : Number(lastEventId)
        yield { event: { task: stateAt(seen) }, eventId: `${seen}`, task: stateAt(seen) }
        for (;;) {
          checkKnown(id)
          if (isTerminal(stateAt(seen).status.state)) return
          if (trouble.gaveUp) throw trouble.gaveUp
          if (seen < Math.min(frames.length, visible)) {
            seen += 1
            yield { event: frames[seen - 1]!, eventId: `${seen}`, task: stateAt(seen) }
          } else await untilChanged(signal)
        }
      } finally {
        watchers -= 1
      }
    },
  }

  return {
    agent,
    accepted,
    /** The same agent with the same past, and a future of its own. */
    copy: () => fakeRemote(name, { frames: structuredClone(frames), accepted: structuredClone(accepted) }),
    watchers: () => watchers,
    state: () => task?.status.state.replace('TASK_STATE_', ''),
    work: (text?: string) => enter('WORKING', text),
    ask: (text: string) => enter('INPUT_REQUIRED', text),
    wantApproval: (text: string) => enter('AUTH_REQUIRED', text),
    end: (state: string, text?: string) => enter(state, text),
    emit: (text: string) =>
      add({
        artifactUpdate: { ...place, artifact: { artifactId: 'report', name: 'report', parts: [{ text }] } },
      }),
    /** What happens from now on does not reach those who watch, until `showAll`. */
    hide: () => {
      visible = frames.length
    },
    showAll: () => {
      visible = Number.POSITIVE_INFINITY
      changed()
    },
    /** Nothing reaches the agent any more, or with undefined it does again. */
    down: (why: Error | undefined) => {
      trouble = why ? { down: why } : {}
      changed()
    },
    /** The next message is taken, and its answer lost. */
    loseNextReply: () => {
      trouble = { losing: true }
    },
    /** Its task is known no more, as after a purge; the next message makes another one. */
    forget: () => {
      frames.length = 0
      task = undefined
      forgotten += 1
      purged = accepted.length
      place = { taskId: `remote-task-${forgotten}`, contextId: `remote-context-${forgotten}` }
      changed()
    },
    /** Whoever watches gives up, for this reason. */
    giveUp: (why: Error) => {
      trouble = { gaveUp: why }
      changed()
    },
  }
}
