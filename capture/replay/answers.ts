// What of an answer must come again, and from which moment on it can.
import { isDeepStrictEqual } from 'node:util'
import { createParser } from 'eventsource-parser'
import type { Body, Exchange } from '../model.ts'
import type { RawExchange } from '../recorder.ts'
import { timestamps } from '../timeline.ts'
import { clockStep } from '../world.ts'
import type { HttpyacAnswer } from './httpyac.ts'

/** What is compared: undefined where it does not apply. */
export interface Seen {
  status: number
  /** Those that are recorded. */
  headers: Record<string, string>
  body: Body
  /** The frames of a stream. */
  frames: { id: string | undefined; data: Body }[] | undefined
}

/** How a text of this run would be written in a file: without its secrets and its ports. */
export type Written = (text: string) => string

export function recorded({ answer: { status, headers, body, frames } }: Exchange): Seen {
  return {
    status,
    headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
    body: typeof body === 'string' ? body.trimEnd() : body,
    frames: frames?.map(({ id, data }) => ({ id, data })),
  }
}

/** What came over the wire, of a stream as many frames as are recorded: a client that left early may have got more. */
export function seenOnWire(raw: RawExchange, exchange: Exchange, written: Written): Seen {
  const frames = raw.frames?.slice(0, exchange.answer.cut ? exchange.answer.frames?.length : undefined)
  return {
    status: raw.status,
    headers: chosen(Object.fromEntries(raw.headers), exchange, written),
    body: raw.frames ? undefined : bodyFrom(written(raw.body)),
    frames: frames?.map(({ id, data }) => ({ id, data: bodyFrom(written(data)) })),
  }
}

/** What httpyac shows. */
export function seenByHttpyac(
  { status, headers, text }: HttpyacAnswer,
  exchange: Exchange,
  written: Written,
): Seen {
  const own = written(text)
  const streamed = String(headers['content-type']).startsWith('text/event-stream')
  return {
    status,
    headers: chosen(headers, exchange, written),
    body: streamed ? undefined : bodyFrom(own),
    frames: streamed ? framesFrom(own) : undefined,
  }
}

const chosen = (headers: Record<string, unknown>, { answer }: Exchange, written: Written) =>
  Object.fromEntries(
    answer.headers.map(([name]) => [name.toLowerCase(), written(String(headers[name.toLowerCase()]))]),
  )

export function bodyFrom(text: string): Body {
  if (text === '') return undefined
  return /^\s*[[{]/.test(text) ? JSON.parse(text) : text.trimEnd()
}

function framesFrom(text: string): Seen['frames'] {
  const frames: NonNullable<Seen['frames']> = []
  createParser({ onEvent: ({ id, data }) => void frames.push({ id, data: bodyFrom(data) }) }).feed(text)
  return frames
}

/**
 * Whether the request may be sent again because it came too early: it only reads, or it was refused where the recorded one was
 * not, so nothing was changed.
 */
export function cameTooEarly(exchange: Exchange, seen: Seen): boolean {
  const { request } = exchange
  if (isDeepStrictEqual(seen, recorded(exchange))) return false
  const operation = operationOf(exchange)
  const reads =
    request.method === 'GET' || /^(Get|List|tasks\/get$)/.test(operation) || subscribes.test(operation)
  return reads || (isRefusal(seen) && !isRefusal(recorded(exchange)))
}

const subscribes = /^(SubscribeToTask|tasks\/resubscribe)$|:subscribe$/

const isRefusal = ({ status, body }: Seen): boolean =>
  status >= 400 || (typeof body === 'object' && body !== null && 'error' in body)

/** Where the clock of the agent that answered stood at least when the request came, as its answer tells; undefined if it does not. */
export function clockAt(exchange: Exchange): number | undefined {
  const { body, frames } = exchange.answer
  const times = timestamps(frames ? frames[0]?.data : body)
  const operation = operationOf(exchange)
  if (subscribes.test(operation)) return latest(times)
  if (/^(CancelTask|tasks\/cancel)$|:cancel$/.test(operation)) {
    const canceled = latest(times)
    return canceled === undefined ? undefined : canceled - clockStep
  }
  const decided = typeof body === 'object' && body !== null && 'at' in body && body.at
  return typeof decided === 'string' ? Date.parse(decided) : undefined
}

const latest = (times: number[]): number | undefined => (times.length > 0 ? Math.max(...times) : undefined)

/** The method of JSON-RPC, else the path. */
function operationOf({ request: { url, body } }: Exchange): string {
  const called = typeof body === 'object' && body !== null && 'jsonrpc' in body && 'method' in body
  return called ? String(body.method) : url.replace(/\?.*/, '')
}
