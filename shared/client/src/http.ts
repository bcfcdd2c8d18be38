// One HTTP request and the bytes of its reply, with errors that say which host and what to do.
import type { Readable } from 'node:stream'
import { Agent, type Dispatcher } from 'undici'
import { ConnectionError, type ReplyFacts } from './errors.ts'
import { lost, unanswered } from './network-errors.ts'

// undici's own limits would end a quiet stream and a long blocking call after five minutes; ours are given per request.
const connections = new Agent({ headersTimeout: 0, bodyTimeout: 0 })

export interface HttpRequest {
  method: 'GET' | 'POST' | 'DELETE'
  /** An http or https address; credentials in it are neither sent nor shown. */
  url: string
  /** Added to the path of `url` as it stands: already encoded, with its query. */
  path?: string
  headers: Record<string, string>
  /** Sent as JSON. */
  body?: object
  /** How long the reply may take to begin, in ms; 0 for no limit. */
  limitMs: number
  signal?: AbortSignal | undefined
  /** How the connection is made; by default directly. */
  dispatcher?: Dispatcher | undefined
}

export interface Reply extends ReplyFacts {
  host: string
  /** True for a status of 200 to 299. */
  ok: boolean
  /** Without parameters, in lower case; '' if there is none. */
  mediaType: string
  /** Where a redirect points to. */
  location: string | undefined
  /**
   * The bytes as they come. Leaving the iteration closes the connection.
   * @throws ConnectionError when the connection is lost, or when `idleMs` pass without a byte (0: never)
   */
  chunks(idleMs: number): AsyncGenerator<Uint8Array>
}

/**
 * Sends the request and waits for the head of the reply. Redirects are not followed.
 * @throws ConnectionError when there is no reply; the signal's reason when it aborts
 */
export async function send({
  method,
  url,
  path = '',
  headers,
  body,
  limitMs,
  signal,
  dispatcher = connections,
}: HttpRequest): Promise<Reply> {
  signal?.throwIfAborted()
  const { origin, host, pathname, search } = new URL(url)
  const late = new AbortController()
  const giveUp = () =>
    late.abort(new ConnectionError(`No answer from ${host}: none began within ${limitMs / 1000} s.`))
  const timer = limitMs > 0 ? setTimeout(giveUp, limitMs) : undefined
  try {
    const response = await dispatcher.request({
      origin,
      path: pathWith(pathname, search, path),
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ? AbortSignal.any([signal, late.signal]) : late.signal,
    })
    const text = (name: string) => [response.headers[name] ?? []].flat()[0]
    return {
      host,
      status: response.statusCode,
      ok: response.statusCode < 300,
      mediaType: (text('content-type') ?? '').split(';', 1)[0]!.trim().toLowerCase(),
      retryAfterMs: retryAfter(text('retry-after')),
      location: text('location'),
      chunks: (idleMs) => chunksOf(response.body, { idleMs, host, signal }),
    }
  } catch (error) {
    throw signal?.aborted ? signal.reason : unanswered(error, host)
  } finally {
    clearTimeout(timer)
  }
}

/** `path` below the path of the url; a query of the url's own comes last. */
function pathWith(pathname: string, search: string, path: string): string {
  if (path === '') return pathname + search
  const joined = pathname.replace(/\/+$/, '') + path
  return search === '' ? joined : `${joined}${path.includes('?') ? '&' : '?'}${search.slice(1)}`
}

async function* chunksOf(
  body: Readable,
  { idleMs, host, signal }: { idleMs: number; host: string; signal: AbortSignal | undefined },
): AsyncGenerator<Uint8Array> {
  const silence = () => body.destroy(new ConnectionError(`${host} sent nothing for ${idleMs / 1000} s.`))
  const wait = () => (idleMs > 0 ? setTimeout(silence, idleMs) : undefined)
  let timer = wait()
  try {
    for await (const chunk of body) {
      clearTimeout(timer)
      yield chunk
      timer = wait()
    }
  } catch (error) {
    throw signal?.aborted ? signal.reason : lost(error, host)
  } finally {
    clearTimeout(timer)
  }
}

/** `Retry-After` in ms: it holds seconds or a date. */
function retryAfter(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}
