// Push notification configs: 0.3 has the config inside one that names the task, and several schemes where 1.0 has one.
import { invalid, type TaskPushNotificationConfig } from '../protocol/index.ts'
import type { Names } from './errors.ts'
import { type Fields, isObject, pick, present } from './objects.ts'
import type { Shape } from './shape.ts'

/** A config of 0.3, in either shape, as one of 1.0 that is still to be checked. Of several schemes the first counts. */
export function readConfig(given: unknown): unknown {
  if (!isObject(given)) return given
  const { id, url, token } = given
  const authentication = pick(given, 'authentication')
  return present({ id, url, token, authentication: readAuthentication(authentication) })
}

function readAuthentication(given: unknown): unknown {
  if (!isObject(given)) return given
  const { schemes, credentials } = given
  const [scheme] = Array.isArray(schemes) ? schemes : [schemes]
  return scheme === undefined && !credentials ? undefined : present({ scheme, credentials })
}

/**
 * What sets a config. `set` replaces: where the client names none, its id is the task's, as 0.3's own servers have it. ProtoJSON
 * comes as the config itself, or inside `config`, and may have the id in `name` or `configId`.
 */
export function readSetConfig(params: unknown): unknown {
  if (!isObject(params)) return params
  const outer = pick(params, 'config') ?? params
  if (!isObject(outer)) return outer
  const taskId = pick(params, 'taskId', 'task_id')
  const config = readConfig(pick(outer, 'pushNotificationConfig', 'push_notification_config') ?? {})
  if (!isObject(config)) throw invalid('pushNotificationConfig', 'must be an object')
  const name = pick(outer, 'name')
  const named = typeof name === 'string' ? /\/pushNotificationConfigs\/([^/]+)$/.exec(name)?.[1] : undefined
  const id = config.id || pick(params, 'configId', 'config_id') || named || taskId
  return { ...config, id, taskId }
}

/** How 0.3 calls the fields of what sets a config. */
export const namesInSet: Names = {
  id: 'pushNotificationConfig.id',
  url: 'pushNotificationConfig.url',
  token: 'pushNotificationConfig.token',
  authentication: 'pushNotificationConfig.authentication',
}

/** How 0.3 calls the fields of what names a config. */
export const namesInName: Names = { taskId: 'id', id: 'pushNotificationConfigId' }

/** What names a config: its task, and its id where the client gives it. */
export function readConfigName(params: unknown): Fields {
  if (!isObject(params)) return {}
  return present({
    taskId: pick(params, 'id'),
    id: pick(params, 'pushNotificationConfigId', 'push_notification_config_id'),
  })
}

/** A config of 1.0 in the shape of 0.3. */
export function writeConfig(
  { taskId, tenant: _, authentication, ...config }: TaskPushNotificationConfig,
  { kinds }: Shape,
): Fields {
  const { scheme, credentials } = authentication ?? {}
  const pushNotificationConfig = {
    ...config,
    ...(scheme !== undefined && { authentication: present({ schemes: [scheme], credentials }) }),
  }
  return kinds
    ? { taskId, pushNotificationConfig }
    : { name: `tasks/${taskId}/pushNotificationConfigs/${config.id}`, pushNotificationConfig }
}
