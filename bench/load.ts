// Load on one server: 32 connections that ask again as soon as they are answered, every reply checked.
import autocannon from 'autocannon'
import { headers } from './a2a.ts'
import type { Peer } from './peer.ts'

export const connections = 32

export interface LoadOptions {
  /** How long it lasts; it goes on until there is a reply, though. */
  seconds: number
  /** The body of the next request. */
  body: () => string
  /** Throws for a wrong reply. */
  check: (reply: string) => void
}

export interface Load {
  /** Replies a second. */
  rate: number
  /** Microseconds of the server's processor time for each reply: hardly moved by what else the machine does. */
  cpu: number
  /** The part of the time for which the server was busy: well under 1 means that something else was the limit. */
  busy: number
  lastReply: string
}

/** @throws Error at the first reply that `check` refuses, and at any failed request */
export async function load(peer: Pick<Peer, 'url' | 'cpuTime'>, options: LoadOptions): Promise<Load> {
  const { seconds, body, check } = options
  let wrong: Error | undefined
  let lastReply = ''
  const cpuBefore = await peer.cpuTime()
  const begun = performance.now()
  const elapsed = () => (performance.now() - begun) / 1000
  const run = autocannon({
    url: peer.url,
    connections,
    duration: 3600, // ended by the first reply after `seconds`, since a short run on a busy machine would have none
    sampleInt: 50,
    bailout: 1,
    requests: [{ method: 'POST', headers, body: body(), setupRequest: (one) => ({ ...one, body: body() }) }],
    verifyBody(reply) {
      lastReply = reply
      if (elapsed() >= seconds) run.stop()
      try {
        check(reply)
      } catch (error) {
        wrong ??= error as Error
      }
      return !wrong
    },
  })
  const { errors, non2xx, '2xx': replies } = await run
  const took = elapsed()
  const cpu = (await peer.cpuTime()) - cpuBefore
  if (wrong) throw wrong
  if (errors > 0 || non2xx > 0) {
    throw new Error(`${peer.url}: ${errors} requests failed, ${non2xx} replies were HTTP errors.`)
  }
  return { rate: replies / took, cpu: (cpu / replies) * 1e6, busy: cpu / took, lastReply }
}
