// Where the events of a task are sent to, as far as the engine is concerned: configs are stored with what they belong to.
import { invalid, type TaskPushNotificationConfig } from '../protocol/index.ts'
import type { PushConfigRow, PushVersion, TaskRow } from '../store/index.ts'
import type { Core } from './core.ts'

/** Who sends events to receivers. It reads the log, so it is told only that there is something to read. */
export interface Pushes {
  /** An event of the task was committed, and the task has configs. */
  wake(task: number): void
  /** The config was deleted or replaced: nothing more is sent to its receiver. */
  stop(config: number): void
  /** Why no request may go to `url`, as far as that can be said without asking for its address. */
  refusal(url: string): string | undefined
}

/** A config as the client of a version of the protocol gave it. */
export interface Configured {
  config: TaskPushNotificationConfig
  version: PushVersion
  /** The path of the config in the request, with a dot at its end, for error texts. */
  path: string
}

/**
 * Stores a config of the task, for every event after `delivered`; inside `store.write`. One with the same id is replaced, and the new one
 * goes on where that one had got to, so that new credentials lose no event.
 * @throws A2AError InvalidParamsError
 */
export function putPushConfig(
  { store, pushes, world, settings }: Core,
  row: TaskRow,
  { config, version, path }: Configured,
  delivered: number,
): PushConfigRow {
  const { pushConfigs } = store.writing
  const refusal = pushes.refusal(config.url)
  if (refusal) throw invalid(`${path}url`, refusal)
  const id = config.id ?? world.id('push-config')
  const before = pushConfigs.find(row.task, id)
  if (before) removePushConfig({ store, pushes }, row, before)
  else if (pushConfigs.count(row.task) >= settings.maxPushConfigs) {
    throw invalid(
      `${path}id`,
      `would be the task's config number ${settings.maxPushConfigs + 1}: delete another one first`,
    )
  }
  row.push = pushConfigs.insert({
    task: row.task,
    id,
    url: config.url,
    token: config.token ?? null,
    scheme: config.authentication?.scheme ?? null,
    credentials: config.authentication?.credentials ?? null,
    version,
    delivered: before?.delivered ?? delivered,
  })
  store.afterCommit(() => pushes.wake(row.task))
  return pushConfigs.find(row.task, id)!
}

/** Removes a config of the task; inside `store.write`. */
export function removePushConfig(
  { store, pushes }: Pick<Core, 'store' | 'pushes'>,
  row: TaskRow,
  config: PushConfigRow,
): void {
  row.push = store.writing.pushConfigs.remove(config)
  store.afterCommit(() => pushes.stop(config.config))
}
