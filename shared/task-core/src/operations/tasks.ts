// GetTask (§3.1.3), ListTasks (§3.1.4) and CancelTask (§3.1.5).
import { hash } from 'node:crypto'
import { taskNotFound } from '../engine/accept.ts'
import { notCancelable } from '../engine/cancel.ts'
import { invalid, type ListTasksRequest, parseRequest, requestSchemas } from '../protocol/index.ts'
import type { Call, OperationContext } from './context.ts'
import { checkMetadata } from './sizes.ts'
import { taskJson } from './view.ts'

const defaultPageSize = 50

export function createTaskOperations({ core, engine }: OperationContext) {
  const { committed } = core.store

  async function getTask(params: unknown, { caller }: Call): Promise<string> {
    const { id, historyLength } = parseRequest(requestSchemas.GetTask, params)
    await core.store.together()
    const row = committed.tasks.find(id, caller.id)
    if (!row) throw taskNotFound(id)
    return taskJson(row, committed.events, { historyLength })
  }

  /** A page of the caller's tasks, newest status first. A task that changes while one pages moves to the front. */
  async function listTasks(params: unknown, { caller }: Call): Promise<string> {
    const request = parseRequest(requestSchemas.ListTasks, params)
    await core.store.together()
    const { contextId, status, statusTimestampAfter, pageToken, historyLength, includeArtifacts } = request
    const pageSize = request.pageSize ?? defaultPageSize
    const filter = {
      owner: caller.id,
      ...(contextId === undefined ? {} : { contextId }),
      ...(status === undefined ? {} : { state: status }),
      ...(statusTimestampAfter === undefined ? {} : { since: Date.parse(statusTimestampAfter) }),
    }
    const after = pageToken === undefined ? undefined : readToken(pageToken, request)
    const found = committed.list.page(filter, pageSize + 1, after)
    const page = found.slice(0, pageSize)
    const last = found.length > pageSize ? page.at(-1) : undefined
    const tasks = page.map(({ task }) =>
      taskJson(committed.tasks.get(task)!, committed.events, {
        historyLength,
        artifacts: includeArtifacts ?? false,
      }),
    )
    const nextPageToken = last ? writeToken(last, request) : ''
    const totalSize = committed.list.total(filter)
    return `{"tasks":[${tasks.join(',')}],"nextPageToken":"${nextPageToken}","pageSize":${pageSize},"totalSize":${totalSize}}`
  }

  async function cancelTask(params: unknown, { caller }: Call): Promise<string> {
    const { id, metadata } = parseRequest(requestSchemas.CancelTask, params)
    checkMetadata(metadata, core.settings)
    const row = committed.tasks.find(id, caller.id)
    if (!row) throw taskNotFound(id)
    await engine.cancel(row, metadata)
    const now = committed.tasks.get(row.task)!
    if (now.state !== 'TASK_STATE_CANCELED') throw notCancelable(id, now.state)
    return taskJson(now, committed.events)
  }

  return { getTask, listTasks, cancelTask }
}

interface Place {
  statusTime: number
  task: number
}

/** Ties a token to the filters that it was made for. */
const filterMark = ({ contextId, status, statusTimestampAfter }: ListTasksRequest): string =>
  hash('sha256', JSON.stringify([contextId, status, statusTimestampAfter]), 'base64url').slice(0, 8)

const writeToken = ({ statusTime, task }: Place, request: ListTasksRequest): string =>
  Buffer.from(`${statusTime}.${task}.${filterMark(request)}`).toString('base64url')

function readToken(token: string, request: ListTasksRequest): Place {
  const [, statusTime, task, mark] =
    /^(\d{1,15})\.(\d{1,15})\.(.{8})$/.exec(Buffer.from(token, 'base64url').toString()) ?? []
  if (mark === undefined) throw invalid('pageToken', 'is not one that this agent gave')
  if (mark !== filterMark(request))
    throw invalid('pageToken', 'was given for other filters: start again without it')
  return { statusTime: Number(statusTime), task: Number(task) }
}
