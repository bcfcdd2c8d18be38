// Clients that subscribe to a stream and stay: bare sockets, so that 10,000 of them fit into the load's process and hardly cost it time.
import { execFileSync } from 'node:child_process'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { headers } from './a2a.ts'
import type { Peer } from './peer.ts'

/** So many connect at once: fewer than a server lets wait. */
const atOnce = 100

/** Milliseconds that what is awaited may take; the rest of a run is in vain then. */
const patience = 60_000

/** Files that a process needs beside those for its sockets. */
const otherFiles = 200

/** How many connections a process may have here: its limit of open files, as `ulimit -n` gives it. */
export function mostConnections(): number {
  const most = execFileSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' }).trim()
  return most === 'unlimited' ? Number.POSITIVE_INFINITY : Number(most) - otherFiles
}

/** For servers that subscribers leave: objects are counted by a function of Node.js that still says that it is new. */
export const flags = ['--disable-warning=ExperimentalWarning']

export class Subscriber {
  readonly socket: Socket
  #text = ''
  #found: (frame: string) => void = () => {}
  #failed = () => {}

  constructor(url: string, body: string) {
    const { hostname, port, host, pathname } = new URL(url)
    this.socket = connect(Number(port), hostname)
    const lines = Object.entries({ ...headers, Host: host, Accept: 'text/event-stream' })
    const head = [`POST ${pathname} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`)]
    this.socket.write(`${[...head, `Content-Length: ${body.length}`].join('\r\n')}\r\n\r\n${body}`)
    this.socket.on('data', (data) => this.#read(data))
    this.socket.on('error', () => {}) // it closes then, too
  }

  /** Resolves with the next frame, `id: …\ndata: …`. @throws Error when the reply is no stream, and when it ends or a minute passes before that */
  frame(): Promise<string> {
    return this.#wait((resolve, fail) => {
      this.#found = resolve
      this.#failed = () => fail(`no frame came, but: ${this.#text.slice(0, 600)}`)
      return this.#failed
    })
  }

  /** Resolves when `bytes` more have come. @throws Error when the stream ends or a minute passes before that */
  received(bytes: number): Promise<void> {
    let missing = bytes
    return this.#wait((resolve, fail) => {
      this.socket.on('data', ({ length }) => {
        missing -= length
        if (missing <= 0) resolve()
      })
      return () => fail(`${missing} of ${bytes} bytes did not come.`)
    })
  }

  /** `begin` returns what is called when the stream has ended, or too much time has passed. */
  async #wait<T>(
    begin: (resolve: (value: T) => void, fail: (why: string) => void) => () => void,
  ): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const missed = begin(resolve, (why) => reject(new Error(why)))
    const late = setTimeout(missed, patience)
    this.socket.once('close', missed)
    try {
      return await promise
    } finally {
      clearTimeout(late)
      this.socket.off('close', missed)
    }
  }

  #read(data: Buffer): void {
    this.#text += data.toString('latin1')
    if (this.#text.startsWith('HTTP/1.1') && !this.#text.includes('text/event-stream')) this.#failed()
    const [frame] = data.includes('\n') ? (/id: .*\ndata: .*(?=\n\n)/.exec(this.#text) ?? []) : []
    if (frame === undefined) return
    this.#text = ''
    this.#found(frame)
  }

  /** Leaves without a word. */
  leave(): void {
    this.socket.resetAndDestroy()
  }
}

/** Opens `count` subscriptions, each with its first frame. @throws Error for a frame that is not event `n` */
export async function subscribe(url: string, body: string, count: number, n: number): Promise<Subscriber[]> {
  const all: Subscriber[] = []
  while (all.length < count) {
    const some = Array.from({ length: Math.min(atOnce, count - all.length) }, () => new Subscriber(url, body))
    const frames = await Promise.all(some.map((one) => one.frame()))
    for (const frame of frames) checkFrame(frame, n, 'TASK_STATE_INPUT_REQUIRED')
    all.push(...some)
  }
  return all
}

/** Has all of them leave, and resolves when the server has noticed. */
export async function leave(all: Subscriber[], peer: Peer): Promise<void> {
  const connections = () => peer.ask<number>('connections')
  const others = (await connections()) - all.length
  for (const one of all) one.leave()
  while ((await connections()) > others) await pause(10)
}

/** @throws Error for another event than `n`, or another state */
export function checkFrame(frame: string, n: number, state: string): void {
  if (frame.startsWith(`id: ${n}\n`) && frame.includes(`"state":"${state}"`)) return
  throw new Error(`this is not event ${n}, ${state}: ${frame.slice(0, 300)}`)
}
