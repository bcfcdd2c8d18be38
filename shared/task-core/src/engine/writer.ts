// The one writer of tasks: makes events, folds them into the rows, and publishes them once they are committed.

import type { Logger } from 'pino'
import type { Feed } from '../feed/feed.ts'
import {
  type Artifact,
  type Content,
  type ExtensionValues,
  extensionFields,
  foldArtifact,
  isTerminal,
  type Message,
  partsOf,
  type StreamResponse,
  type Struct,
  type Task,
  type TaskArtifactUpdateEvent,
  type TaskState,
  type TaskStatus,
} from '../protocol/index.ts'
import type { LoggedEvent, Store, TaskRow } from '../store/index.ts'
import { activeTraceparent, idsOf } from '../telemetry/index.ts'
import type { World } from '../world.ts'
import type { Pushes } from './pushes.ts'
import { checkTransition } from './transitions.ts'

export interface StatusChange {
  /** The status message: the agent's words. */
  message?: Message
  /** What the change adds to the history. */
  history?: Message[]
  /** The key of the call that the task waits in from now on; by default in none. */
  wait?: string
  /** When that wait ends, in ms; by default never. */
  expiresAt?: number
  /** Whether the agent has something to do now; by default as before, and nothing at an end. */
  work?: boolean
}

interface WriterParts {
  store: Store
  feed: Feed
  pushes: Pick<Pushes, 'wake'>
  world: World
  log: Pick<Logger, 'info'>
}

/** The most characters of a snapshot that stands in its task's row, which is written whole at each event. */
const smallSnapshot = 2048

/** Who did it, in the audit log, where it was no operator and no caller: names of theirs have no space, or begin with `jwt:`. */
export const theAgent = 'the agent'

export type Writer = ReturnType<typeof createWriter>

/**
 * Every function here is for use inside `store.append` or `store.write`; a task with a request that is open or approved ends by `write`.
 * Rows that are passed in are changed to what was written.
 */
export function createWriter({ store, feed, pushes, world, log: logger }: WriterParts) {
  const { tasks, events, authorizations, pushConfigs } = store.writing
  let lastDue = tasks.lastDue()
  const nextDue = () => ++lastDue

  function log(row: TaskRow, frame: StreamResponse, state: TaskState | undefined, history?: Message[]) {
    row.lastEvent += 1
    const event: LoggedEvent = { n: row.lastEvent, frame: JSON.stringify(frame), state }
    events.append(row.task, event, history)
    const pushed = row.push > 0
    if (pushed) pushConfigs.markDue(row.task)
    store.afterCommit(() => {
      feed.publish(row.task, [event])
      if (pushed) pushes.wake(row.task)
      if (state) logger.info(idsOf(row), state)
    })
    return event
  }

  /** A message in the agent's name, with what extensions say in it. */
  function say(row: Pick<TaskRow, 'id' | 'contextId'>, content: Content, values?: ExtensionValues): Message {
    return {
      messageId: world.id('message'),
      contextId: row.contextId,
      taskId: row.id,
      role: 'ROLE_AGENT',
      parts: partsOf(content),
      ...extensionFields(values),
    }
  }

  /** A new task in TASK_STATE_SUBMITTED, with `message` as its history and the agent's metadata for its tasks. */
  function create(owner: string, message: Message, metadata?: Struct): TaskRow {
    const id = world.id('task')
    const contextId = message.contextId ?? world.id('context')
    const statusTime = world.statusTime()
    const status: TaskStatus = {
      state: 'TASK_STATE_SUBMITTED',
      timestamp: new Date(statusTime).toISOString(),
    }
    const history = [placed(message, { id, contextId })]
    const task: Task = { id, contextId, status, history, ...(metadata ? { metadata } : {}) }
    const row: TaskRow = {
      task: tasks.newKey(),
      id,
      owner,
      contextId,
      state: status.state,
      status: JSON.stringify(status),
      statusTime,
      history: JSON.stringify(history),
      artifactsSize: 0,
      artifactsTail: 0,
      snapshot: null,
      snapshotEvent: 0,
      artifacts: 0,
      artifactBytes: 0,
      metadata: metadata ? JSON.stringify(metadata) : null,
      lastEvent: 0,
      due: nextDue(),
      wait: null,
      expiresAt: null,
      cancel: null,
      push: 0,
      trace: activeTraceparent() ?? null,
    }
    log(row, { task }, status.state)
    tasks.insert(row)
    return row
  }

  /** Moves the task to `state`. */
  function status(row: TaskRow, state: TaskState, change: StatusChange = {}): void {
    checkTransition(row.state, state)
    const before = row.state
    const statusTime = world.statusTime()
    const { message, history = [], wait = null, expiresAt = null, work = row.due !== null } = change
    const taskStatus: TaskStatus = {
      state,
      ...(message ? { message } : {}),
      timestamp: new Date(statusTime).toISOString(),
    }
    const added = history.length > 0 ? JSON.stringify([...JSON.parse(row.history), ...history]) : row.history
    if (!work || isTerminal(state)) row.due = null
    else row.due ??= nextDue()
    Object.assign(row, {
      state,
      status: JSON.stringify(taskStatus),
      statusTime,
      history: added,
      wait,
      expiresAt,
    })
    // Whoever waits for the task reads it now.
    if (state !== 'TASK_STATE_WORKING') foldTail(row)
    const update = { taskId: row.id, contextId: row.contextId, status: taskStatus }
    log(row, { statusUpdate: update }, state, history)
    tasks.saveStatus(row, before)
    if (isTerminal(state) && authorizations.hasLive(row.task)) {
      const [by, why] = row.cancel
        ? [row.owner, 'The task was canceled.']
        : [theAgent, `The agent ended the task in ${state}.`]
      authorizations.close(row.task, statusTime, by, why)
    }
  }

  /** Emits an artifact or a chunk of one. */
  function artifact(
    row: TaskRow,
    chunk: Artifact,
    { append, lastChunk }: { append: boolean; lastChunk: boolean },
  ) {
    if (isTerminal(row.state)) throw new Error(`The task has ended in ${row.state}: it takes no artifact.`)
    const update: TaskArtifactUpdateEvent = {
      taskId: row.id,
      contextId: row.contextId,
      artifact: chunk,
      ...(append ? { append } : {}),
      ...(lastChunk ? { lastChunk } : {}),
    }
    const { frame } = log(row, { artifactUpdate: update }, undefined)
    row.artifactsTail += frame.length
    row.artifactBytes += Buffer.byteLength(frame)
    if (!append) row.artifacts += 1
    if (row.artifactsSize === 0 && row.artifactsTail === frame.length && !append) {
      snap(row, JSON.stringify([chunk])) // most tasks have this one alone
    }
    // The snapshot is rewritten when the tail behind it has doubled, so that a long run of chunks costs its length.
    if (row.artifactsTail > row.artifactsSize) foldTail(row)
    tasks.saveArtifacts(row)
  }

  /** Brings the snapshot of the row's artifacts up to its last event. */
  function foldTail(row: TaskRow): void {
    if (row.artifactsTail === 0) return
    snap(row, artifactsNow(row, events))
  }

  function snap(row: TaskRow, artifacts: string): void {
    const isSmall = artifacts.length <= smallSnapshot
    row.snapshot = isSmall ? artifacts : null
    row.snapshotEvent = row.lastEvent
    if (!isSmall) events.saveSnapshot(row.task, row.lastEvent, artifacts)
    row.artifactsSize = artifacts.length
    row.artifactsTail = 0
  }

  return { create, status, artifact, say, nextDue }
}

/** A client's message with the ids of the task that it belongs to (§3.4.3). */
export function placed(message: Message, { id, contextId }: Pick<TaskRow, 'id' | 'contextId'>): Message {
  const { messageId, ...rest } = message
  return { messageId, contextId, taskId: id, ...rest }
}

/** The artifacts of the row, as JSON, '' for none: the snapshot with the tail of the log folded in. */
export function artifactsNow(
  row: TaskRow,
  events: Pick<Store['committed']['events'], 'between' | 'snapshot'>,
): string {
  if (row.artifactsSize + row.artifactsTail === 0) return ''
  const small = row.snapshot === null ? undefined : { event: row.snapshotEvent, artifacts: row.snapshot }
  const known = small ?? events.snapshot(row.task) ?? { event: 0, artifacts: '[]' }
  if (row.artifactsTail === 0) return known.artifacts
  const artifacts = JSON.parse(known.artifacts) as Artifact[]
  for (const { frame } of events.between(row.task, known.event, row.lastEvent)) {
    const { artifactUpdate } = JSON.parse(frame) as StreamResponse
    if (artifactUpdate) foldArtifact(artifacts, artifactUpdate)
  }
  return JSON.stringify(artifacts)
}
