// The order in which a capture's exchanges, answers and frames are read, and the times that follow from it.
import type { Json } from '@a2a-kit/task-core'
import type { Exchange } from './model.ts'
import { clockStart } from './world.ts'

export type Moment =
  | { kind: 'request'; exchange: Exchange }
  | { kind: 'answer'; exchange: Exchange }
  /** `index` counts the frames of the exchange from 0. */
  | { kind: 'frame'; exchange: Exchange; index: number }

/**
 * All moments in order. An answer follows its request, unless further exchanges began before it; frames come before the request
 * that was sent after them.
 */
export function timeline(exchanges: Exchange[]): Moment[] {
  const moments: Moment[] = []
  const shown = new Map<number, number>()

  const framesOf = ({ n, answer: { frames = [] } }: Exchange, next: Exchange | undefined) => {
    const mark = next?.after.find(({ exchange }) => exchange === n)
    return mark ? mark.frames : frames.length
  }
  exchanges.forEach((exchange, at) => {
    moments.push({ kind: 'request', exchange })
    const { answer } = exchange
    if (!answer.frames && answer.endedAfter === undefined) moments.push({ kind: 'answer', exchange })
    const begun = exchanges.slice(0, at + 1)
    const next = exchanges[at + 1]
    for (const stream of begun.filter((one) => one.answer.frames)) {
      const until = framesOf(stream, next)
      for (let index = shown.get(stream.n) ?? 0; index < until; index++) {
        moments.push({ kind: 'frame', exchange: stream, index })
      }
      shown.set(stream.n, Math.max(until, shown.get(stream.n) ?? 0))
    }
    // What was asked last is answered first: the others wait for it.
    for (const one of begun.toReversed()) {
      if (one.answer.endedAfter === exchange.n) moments.push({ kind: 'answer', exchange: one })
    }
  })
  return moments
}

/** Sets the times of all answers and frames, each by the clock of the agent that answered, as the statuses that it sends tell it. */
export function setTimes(exchanges: Exchange[]): void {
  const clocks = new Map<string, number>()
  const clock = (name: string) => clocks.get(name) ?? clockStart
  const begun = new Map<Exchange, number>()
  const tells = (name: string, sent: unknown): number => {
    const now = Math.max(clock(name), ...timestamps(sent))
    clocks.set(name, now)
    return now
  }
  const since = (exchange: Exchange, sent: unknown): number => tells(exchange.to, sent) - begun.get(exchange)!
  for (const moment of timeline(exchanges)) {
    const { exchange, kind } = moment
    const { answer } = exchange
    if (kind === 'request') {
      tells(exchange.from, exchange.request.body) // a push notification
      begun.set(exchange, clock(exchange.to))
    } else if (kind === 'answer') answer.ms = since(exchange, answer.body)
    else {
      const frame = answer.frames![moment.index]!
      frame.atMs = since(exchange, frame.data)
      answer.ms = frame.atMs
    }
  }
}

/** The times of the statuses in `value`, in ms since the epoch. */
export function timestamps(value: unknown): number[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value as Record<string, Json>).flatMap(([key, inner]) =>
    key === 'timestamp' && typeof inner === 'string' ? [Date.parse(inner)] : timestamps(inner),
  )
}
