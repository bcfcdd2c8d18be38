// SubscribeToTask (§3.1.6), and the replay of what a lost stream missed.
import { taskNotFound } from '../engine/accept.ts'
import { taskAt } from '../feed/task-at.ts'
import { A2AError, isTerminal, parseRequest, requestSchemas } from '../protocol/index.ts'
import type { TaskRow } from '../store/index.ts'
import type { Call, OperationContext } from './context.ts'
import { type Frames, framesFrom } from './frames.ts'
import { taskJson } from './view.ts'

export function createSubscribe({ core }: OperationContext) {
  const { committed } = core.store

  /**
   * The task as it is now, then each later event. With `lastEventId`, the task as it stood at that event, and each event since then, once and in
   * order, also of a task that has ended meanwhile. Clients of 0.3 get a task that has ended, and the stream's end.
   */
  async function subscribeToTask(params: unknown, call: Call): Promise<Frames> {
    const { caller, lastEventId, version } = call
    const { id } = parseRequest(requestSchemas.SubscribeToTask, params)
    const row = committed.tasks.find(id, caller.id)
    if (!row) throw taskNotFound(id)
    const replayFrom = eventNumber(lastEventId, row)
    if (replayFrom !== undefined) {
      const task = taskAt(committed.events, row.task, replayFrom)
      const start = { n: replayFrom, state: task.status.state, task: JSON.stringify(task) }
      return framesFrom(core, row.task, start, { until: row.lastEvent, staysAtQuestion: true })
    }
    if (isTerminal(row.state) && lastEventId === undefined && version !== '0.3') {
      const why = `The task has ended in ${row.state} and has no more events: GetTask returns it.`
      throw new A2AError('UnsupportedOperationError', why, { metadata: { taskId: id, state: row.state } })
    }
    const start = { n: row.lastEvent, state: row.state, task: taskJson(row, committed.events) }
    return framesFrom(core, row.task, start, { staysAtQuestion: true })
  }

  return subscribeToTask
}

/** The number of an event that the task has had; undefined for anything else, which then counts as no id. */
function eventNumber(lastEventId: string | undefined, row: TaskRow): number | undefined {
  if (lastEventId === undefined || !/^[1-9]\d{0,8}$/.test(lastEventId)) return undefined
  const n = Number(lastEventId)
  return n <= row.lastEvent ? n : undefined
}
