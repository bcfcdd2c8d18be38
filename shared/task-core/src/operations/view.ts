// The JSON of a task as an operation returns it: the stored texts put together, the history cut to what was asked for (§3.2.4).
import { artifactsNow } from '../engine/writer.ts'
import type { Message } from '../protocol/index.ts'
import type { Store, TaskRow } from '../store/index.ts'

export interface ViewOptions {
  /** At most so many of the newest messages; undefined for all. */
  historyLength?: number | undefined
  artifacts?: boolean
}

/** The task of `row` as JSON, as of the row's last event. */
export function taskJson(
  row: TaskRow,
  events: Store['committed']['events'],
  { historyLength, artifacts = true }: ViewOptions = {},
): string {
  const content = artifacts ? artifactsNow(row, events) : ''
  const history = cut(row.history, historyLength)
  let json = `{"id":${JSON.stringify(row.id)},"contextId":${JSON.stringify(row.contextId)},"status":${row.status}`
  if (content) json += `,"artifacts":${content}`
  if (history) json += `,"history":${history}`
  if (row.metadata) json += `,"metadata":${row.metadata}`
  return `${json}}`
}

function cut(history: string, length: number | undefined): string {
  if (length === undefined) return history
  if (length === 0) return ''
  return JSON.stringify((JSON.parse(history) as Message[]).slice(-length))
}
