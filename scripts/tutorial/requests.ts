// The requests of a capture as they are sent in this play: to the agents here, with ids of its own.
import type { Json } from '@a2a-kit/task-core'
import { replayExtension } from '@a2a-kit/task-core/protocol'
import { textOf } from '../../capture/format.ts'
import type { Capture, Exchange, Header } from '../../capture/model.ts'
import type { Twins } from './twins.ts'

export interface LiveRequest {
  method: string
  url: string
  headers: Header[]
  body?: string
}

export const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
/** Ids that clients make up. Those of push notification configs are not among them: they count within a task. */
const ownIds = new Set(['messageId', 'contextId'])

/** Gives the ids that the capture's clients made up, as far as they are words, a form of this play: agents know repeats. */
export function renewIds({ exchanges }: Capture, twins: Twins, suffix: string): void {
  for (const { request } of exchanges) {
    const fields = [...new URLSearchParams(request.url.split('?')[1]), ...fieldsOf(request.body ?? null)]
    for (const [name, value] of fields) {
      if (ownIds.has(name) && /\w/.test(value) && !value.match(uuid)) twins.pair(value, `${value}-${suffix}`)
    }
  }
}

/** `addresses` has the value of each variable of the capture here. */
export function requestOf(
  { request }: Exchange,
  addresses: Record<string, string>,
  twins: Twins,
): LiveRequest {
  const filled = (text: string) =>
    twins.translate(text.replace(/\{\{(\w+)\}\}/g, (whole, variable: string) => addresses[variable] ?? whole))
  return {
    method: request.method,
    url: filled(request.url),
    headers: request.headers.map(([name, value]) => [name, filled(value)]),
    ...(request.body !== undefined && { body: filled(textOf(request.body)) }),
  }
}

/** A request for the frames that follow the first `seen` of a stream that `request` had opened: a replay. */
export function subscription(
  { request: { body }, answer }: Exchange,
  request: LiveRequest,
  seen: number,
  twins: Twins,
): LiveRequest {
  const frames = (answer.frames ?? []).slice(0, seen)
  const named = fieldsOf(frames.map(({ data }) => data)).find(([name]) => name === 'taskId')?.[1]
  const id = twins.live(named ?? '') ?? named
  const headers: Header[] = [
    ...request.headers.filter(([name]) => !/^(a2a-extensions|last-event-id)$/i.test(name)),
    ['A2A-Extensions', replayExtension],
    ['Last-Event-ID', frames.at(-1)?.id ?? ''],
  ]
  if (body === undefined || !fieldsOf(body).some(([name]) => name === 'jsonrpc'))
    return { method: 'POST', url: request.url.replace(/\/a2a\/.*/, `/a2a/tasks/${id}:subscribe`), headers }
  const call = { ...(body as object), method: 'SubscribeToTask', params: { id } }
  return { ...request, headers, body: JSON.stringify(call) }
}

/** The ids in the request that have no twin yet. */
export function strangeIds({ request }: Exchange, twins: Twins): string[] {
  const text = [request.url, ...request.headers.flat(), JSON.stringify(request.body ?? '')].join('\n')
  return [...new Set(text.match(uuid))].filter((id) => twins.live(id) === undefined)
}

/** Whether it can be sent again and again: it changes nothing. */
export function isRead({ request: { method, url, body } }: Exchange): boolean {
  const called = fieldsOf(body ?? null).find(([name]) => name === 'method')?.[1] ?? ''
  return (
    method === 'GET' ||
    url.endsWith(':subscribe') ||
    /^(Get|List|Subscribe)|\/(get|resubscribe)$/.test(called)
  )
}

/** All fields of `value` that are texts, however deep. */
function fieldsOf(value: Json): [name: string, value: string][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    typeof inner === 'string' ? [[name, inner] as [string, string]] : fieldsOf(inner),
  )
}
