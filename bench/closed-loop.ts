// Load whose replies are timed from within: connections that ask again as soon as their reply has ended. autocannon knows a reply only
// when it is whole, and counts whole milliseconds; this sees the first event of a stream come, and tells microseconds apart.
import { Client, type Dispatcher } from 'undici'
import { headers } from './a2a.ts'
import type { Peer } from './peer.ts'
import { type Run, runOf } from './run.ts'

export interface LoopOptions {
  connections: number
  /** How long it lasts; what is under way then is waited for, and counts. */
  seconds: number
  /** The body of the next request. */
  body: () => string
  /** Throws for a wrong reply. */
  check: (reply: string) => void
}

/** Milliseconds; autocannon takes as many. Who does not answer at all is not waited for. */
const timeouts = { headersTimeout: 10_000, bodyTimeout: 10_000 }

export interface Timed extends Run {
  /** Milliseconds to the first event of each reply that is a stream; comments are none. */
  first: number[]
  /** Milliseconds to the end of each. */
  whole: number[]
}

/** @throws Error at the first reply that `check` refuses, and at any failed request */
export async function closedLoop(
  peer: Pick<Peer, 'url' | 'cpuTime'>,
  { connections, seconds, body, check }: LoopOptions,
): Promise<Timed> {
  const { origin, pathname } = new URL(peer.url)
  const clients = Array.from({ length: connections }, () => new Client(origin, timeouts))
  const first: number[] = []
  const whole: number[] = []
  let failed = false

  async function checked(client: Client) {
    const reply = await exchange(client, pathname, body())
    check(reply.text)
    return reply
  }
  async function loop(client: Client, end: number): Promise<void> {
    do {
      const reply = await checked(client)
      first.push(reply.first)
      whole.push(reply.whole)
    } while (performance.now() < end && !failed)
  }

  try {
    await Promise.all(clients.map(checked)) // to connect is no part of what is timed
    const cpuBefore = await peer.cpuTime()
    const begun = performance.now()
    await Promise.all(clients.map((client) => loop(client, begun + seconds * 1000)))
    const took = (performance.now() - begun) / 1000
    return { ...runOf(whole.length, took, (await peer.cpuTime()) - cpuBefore), first, whole }
  } catch (error) {
    failed = true
    await peer.cpuTime() // fails in words where the peer has ended, which also is why requests failed
    throw error
  } finally {
    await Promise.all(clients.map((client) => client.destroy()))
  }
}

/** A whole one, with what may stand between its data and its end. */
const event = /^data:.*\n(?:.+\n)*\n/m

/** One request and its reply, with the milliseconds to its first event and to its end. */
function exchange(client: Client, path: string, body: string) {
  return new Promise<{ text: string; first: number; whole: number }>((resolve, reject) => {
    const begun = performance.now()
    let first = 0
    let text = ''
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart() {}, // without it undici takes this for a handler of its older kind
      onResponseStart(_, status) {
        if (status !== 200) reject(new Error(`${path} was answered with the HTTP status ${status}.`))
      },
      onResponseData(_, chunk) {
        text += chunk.toString('latin1') // whose length is that of its bytes; the texts of the benchmark are ASCII
        if (first === 0 && event.test(text)) first = performance.now() - begun
      },
      onResponseEnd: () => resolve({ text, first, whole: performance.now() - begun }),
      onResponseError: (_, error) => reject(error),
    }
    client.dispatch({ method: 'POST', path, headers, body }, handler)
  })
}
