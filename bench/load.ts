// Load by autocannon on one server: 32 connections that ask again as soon as they are answered, every reply checked.
import autocannon, { type Request as AutocannonRequest } from 'autocannon'
import { headers } from './a2a.ts'
import type { Peer } from './peer.ts'
import { type Run, runOf } from './run.ts'

export const connections = 32

export interface LoadOptions {
  /** How long it lasts; it goes on until there is a reply, though. */
  seconds: number
  /** The body of the next request, or of every one. */
  body: string | (() => string)
  /** Throws for a wrong reply. */
  check: (reply: string) => void
}

export interface Load extends Run {
  lastReply: string
}

/** @throws Error at the first reply that `check` refuses, and at any failed request */
export async function load(peer: Pick<Peer, 'url' | 'cpuTime'>, options: LoadOptions): Promise<Load> {
  const { seconds, body, check } = options
  let wrong: Error | undefined
  let lastReply = ''
  let replies = 0
  let took = 0
  const cpuBefore = await peer.cpuTime()
  const begun = performance.now()
  const elapsed = () => (performance.now() - begun) / 1000
  /** autocannon would just connect again, and not miss the reply that did not come. */
  function ended(): void {
    wrong ??= new Error(`${peer.url} has ended a connection.`)
    run.stop()
  }
  const run = autocannon({
    url: peer.url,
    connections,
    duration: 3600, // ended by the first reply after `seconds`, since a short run on a busy machine would have none
    sampleInt: 50,
    bailout: 1,
    requests: [{ method: 'POST', headers, ...bodyOf(body) }],
    setupClient(client) {
      process.nextTick(() => client.conn.once('end', ended)) // it connects after this
    },
    verifyBody(reply) {
      lastReply = reply
      replies += 1
      took = elapsed()
      if (took >= seconds) run.stop()
      try {
        check(reply)
      } catch (error) {
        wrong ??= error as Error
      }
      return !wrong
    },
  })
  const { errors, non2xx } = await run
  const cpu = (await peer.cpuTime()) - cpuBefore // fails in words where the peer has ended, which also is why requests failed
  if (wrong) throw wrong
  if (errors > 0 || non2xx > 0) {
    throw new Error(`${peer.url}: ${errors} requests failed, ${non2xx} replies were HTTP errors.`)
  }
  return { ...runOf(replies, took, cpu), lastReply }
}

/** One that changes is made for each request, which costs the load a little. */
const bodyOf = (body: LoadOptions['body']) =>
  typeof body === 'string'
    ? { body }
    : { body: '', setupRequest: (one: AutocannonRequest) => ({ ...one, body: body() }) }
