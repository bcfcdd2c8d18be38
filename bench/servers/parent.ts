// A measured server's side of `peer.ts`: says where it listens, answers what it is asked, and ends with its parent.
import { setImmediate } from 'node:timers/promises'

/** Bytes, as `process.memoryUsage` counts them. */
export interface Memory {
  rss: number
  heapUsed: number
  external: number
}

/** What the parent asks; `nth` tells the answers apart. */
export interface Question {
  nth: number
  what: string
  argument?: unknown
}

/** The answer to question `nth`; that to 0, which nobody asks, is the address. */
export interface Answer {
  nth: number
  value?: unknown
  error?: string
}

// biome-ignore lint/suspicious/noExplicitAny: what is asked and its answer are agreed between a part and its server.
export type Answers = Record<string, (argument: any) => unknown>

// Ctrl-C and the closing of a terminal reach this process too, which tidies up when its parent has ended; also while it begins.
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) process.on(signal, () => {})

/** `close` is called when the parent is gone or has heard enough; `answers` are to questions of this server's own. */
export function reportToParent(url: string, close: () => Promise<unknown>, answers: Answers = {}): void {
  const all: Answers = { cpu, memory, ...answers }
  process.on('message', async ({ nth, what, argument }: Question) => {
    try {
      if (!Object.hasOwn(all, what)) throw new Error(`it cannot answer "${what}"`)
      tell({ nth, value: await all[what]!(argument) })
    } catch (error) {
      tell({ nth, error: (error as Error).message })
    }
  })
  const end = () => void close().then(() => process.exit(0))
  if (process.connected) process.once('disconnect', end)
  else end() // the parent has ended while this process began
  tell({ nth: 0, value: url })
}

/** A parent that is gone meanwhile is no error: this process ends with it. */
const tell = (answer: Answer) => process.send!(answer, undefined, undefined, () => {})

/** Seconds. */
function cpu(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

/**
 * Collects twice: what the first collection lets go of by a finalizer is free only for the second. And as a last resort, since V8 else keeps
 * up to 60 MiB of empty pages for itself, more or less as it happens.
 */
async function memory(): Promise<Memory> {
  for (let times = 0; times < 2; times += 1) {
    global.gc!({ type: 'major', execution: 'sync', flavor: 'last-resort' })
    await setImmediate()
  }
  const { rss, heapUsed, external } = process.memoryUsage()
  return { rss, heapUsed, external }
}
