// The operations on push notification configs (§3.1.7 to §3.1.10). They are the caller's, as their task is.
import { taskNotFound } from '../engine/accept.ts'
import { putPushConfig, removePushConfig } from '../engine/pushes.ts'
import {
  A2AError,
  invalid,
  type ListTaskPushNotificationConfigsResponse,
  parseRequest,
  requestSchemas,
  type TaskPushNotificationConfig,
} from '../protocol/index.ts'
import type { PushConfigRow } from '../store/index.ts'
import type { Call, OperationContext } from './context.ts'

const defaultPageSize = 100

export const noPushNotifications = (): A2AError =>
  new A2AError('PushNotificationNotSupportedError', 'This agent sends no push notifications.')

export function createPushConfigOperations({ core }: OperationContext) {
  const { store } = core

  /** The config as it is stored, for every later event; one with the same id is replaced, and goes on where that one had got to. */
  async function create(params: unknown, { caller, version = '1.0' }: Call): Promise<string> {
    const config = parseRequest(requestSchemas.CreateTaskPushNotificationConfig, params)
    const taskId = config.taskId!
    const stored = await store.write(() => {
      const row = store.writing.tasks.find(taskId, caller.id)
      if (!row) throw taskNotFound(taskId)
      return putPushConfig(core, row, { config, version, path: '' }, row.lastEvent)
    })
    return JSON.stringify(shown(taskId, stored))
  }

  async function get(params: unknown, { caller }: Call): Promise<string> {
    const { taskId, id } = parseRequest(requestSchemas.GetTaskPushNotificationConfig, params)
    const found = store.committed.pushConfigs.find(taskOf(taskId, caller.id), id)
    if (!found) {
      const why = 'The task has no push notification config with this id.'
      throw new A2AError('TaskNotFoundError', why, { metadata: { taskId, configId: id } })
    }
    return JSON.stringify(shown(taskId, found))
  }

  async function list(params: unknown, { caller }: Call): Promise<string> {
    const request = parseRequest(requestSchemas.ListTaskPushNotificationConfigs, params)
    const { taskId, pageSize = defaultPageSize, pageToken } = request
    const after = pageToken === undefined ? 0 : readToken(pageToken)
    const found = store.committed.pushConfigs.page(taskOf(taskId, caller.id), after, pageSize + 1)
    const page = found.slice(0, pageSize)
    return JSON.stringify({
      configs: page.map((row) => shown(taskId, row)),
      ...(found.length > pageSize && { nextPageToken: writeToken(page.at(-1)!) }),
    } satisfies Partial<ListTaskPushNotificationConfigsResponse>)
  }

  /** Deletes the config; one that is not there is as good as deleted. */
  async function remove(params: unknown, { caller }: Call): Promise<string> {
    const { taskId, id } = parseRequest(requestSchemas.DeleteTaskPushNotificationConfig, params)
    await store.write(() => {
      const row = store.writing.tasks.find(taskId, caller.id)
      if (!row) throw taskNotFound(taskId)
      const found = store.writing.pushConfigs.find(row.task, id)
      if (found) removePushConfig(core, row, found)
    })
    return '{}'
  }

  function taskOf(taskId: string, owner: string): number {
    const row = store.committed.tasks.find(taskId, owner)
    if (!row) throw taskNotFound(taskId)
    return row.task
  }

  return { create, get, list, remove }
}

const shown = (
  taskId: string,
  { id, url, token, scheme, credentials }: PushConfigRow,
): TaskPushNotificationConfig => ({
  id,
  taskId,
  url,
  ...(token !== null && { token }),
  ...(scheme !== null && { authentication: { scheme, ...(credentials !== null && { credentials }) } }),
})

const writeToken = ({ config }: PushConfigRow): string => Buffer.from(`after ${config}`).toString('base64url')

function readToken(token: string): number {
  const [, config] = /^after (\d{1,15})$/.exec(Buffer.from(token, 'base64url').toString()) ?? []
  if (config === undefined) throw invalid('pageToken', 'is not one that this agent gave')
  return Number(config)
}
