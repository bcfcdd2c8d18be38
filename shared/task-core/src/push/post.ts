// One request to a receiver, and what came of it (§4.3.3). Redirects are not followed.
import type { Agent } from 'undici'
import type { PushConfigRow } from '../store/index.ts'
import { activeTraceparent } from '../telemetry/index.ts'
import type { createConnections, Resolve } from './connect.ts'
import type { Hosts } from './hosts.ts'

export type Outcome =
  | { ok: true }
  /** `gone` if the receiver wants nothing more; `retryAfter` in ms, if it said so. */
  | { ok: false; why: string; gone: boolean; retryAfter: number }

export type Post = ReturnType<typeof createPost>

/** Bytes of an answer that are read so that its connection can be used again; nobody looks at them. */
const mostOfAnswer = 16 * 1024

export interface PostOptions {
  hosts: Hosts
  /** For the whole request with its answer, in ms. */
  timeout: number
  resolve?: Resolve | undefined
  /** The time, in ms since the epoch. */
  now: () => number
}

export function createPost({ hosts, timeout, resolve, now }: PostOptions) {
  let opened: Promise<Agent> | undefined
  const connections = () => {
    opened ??= openConnections(hosts, timeout, resolve)
    return opened
  }

  /** Sends `payload`. Never throws: an aborted request has failed too. */
  async function post(config: PushConfigRow, payload: string, signal: AbortSignal): Promise<Outcome> {
    const { origin, pathname, search } = new URL(config.url)
    const ending = new AbortController()
    const stop = () => ending.abort(signal.reason)
    const timer = setTimeout(() => ending.abort(new Error(`no answer within ${timeout / 1000} s`)), timeout)
    signal.addEventListener('abort', stop)
    try {
      signal.throwIfAborted()
      const { statusCode, headers, body } = await (await connections()).request({
        origin,
        path: pathname + search,
        method: 'POST',
        headers: headersFor(config),
        body: payload,
        signal: ending.signal,
      })
      // The status is the acknowledgement: what becomes of the rest changes nothing.
      await body.dump({ limit: mostOfAnswer, signal: ending.signal }).catch(() => {})
      if (statusCode >= 200 && statusCode < 300) return { ok: true }
      const redirects = statusCode >= 300 && statusCode < 400 ? ', and redirects are not followed' : ''
      const retryAfter = readRetryAfter([headers['retry-after']].flat()[0], now())
      return { ok: false, why: `HTTP ${statusCode}${redirects}`, gone: statusCode === 410, retryAfter }
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      const why = ending.signal.aborted ? (ending.signal.reason as Error).message : (code ?? message)
      return { ok: false, why, gone: false, retryAfter: 0 }
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
    }
  }

  return { post, close: async () => (await opened)?.destroy() }
}

/** Loaded only where something is sent: it is a tenth of what a start would load. */
async function openConnections(...how: Parameters<typeof createConnections>): Promise<Agent> {
  const { createConnections } = await import('./connect.ts')
  return createConnections(...how)
}

const mediaTypes = { '1.0': 'application/a2a+json', '0.3': 'application/json' }

/** With the trace of the task, so that the receiver can go on with it. */
function headersFor({ version, token, scheme, credentials }: PushConfigRow): Record<string, string> {
  const traceparent = activeTraceparent()
  return {
    'Content-Type': mediaTypes[version],
    'User-Agent': 'a2a-kit',
    ...(scheme !== null && credentials !== null && { Authorization: `${scheme} ${credentials}` }),
    ...(token !== null && { 'X-A2A-Notification-Token': token }),
    ...(traceparent !== undefined && { traceparent }),
  }
}

/** `Retry-After` in ms, which holds seconds or a date; 0 if it says nothing. */
function readRetryAfter(value = '', now: number): number {
  const ms = /^\d{1,9}$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now
  return Number.isNaN(ms) ? 0 : Math.max(0, ms)
}
