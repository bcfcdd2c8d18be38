// Plays a capture, moment by moment, against agents that run: sends what was sent, and has a viewer see what comes back.
import { setTimeout as pause } from 'node:timers/promises'
import type { Capture, Exchange } from '../../capture/model.ts'
import { type Moment, timeline } from '../../capture/timeline.ts'
import { isEarly } from './early.ts'
import { judgeAnswer, judgeDelivery, judgeEnd, judgeFrame } from './judge.ts'
import type { Receiver } from './receiver.ts'
import { type LiveRequest, requestOf, strangeIds, subscription } from './requests.ts'
import type { Twins } from './twins.ts'
import type { Go, Viewer } from './viewer.ts'
import { type LiveAnswer, type LiveStream, later, type Wire } from './wire.ts'
import { within } from './within.ts'

export interface Play {
  capture: Capture
  /** The names of the agents that it is played against. */
  agents: ReadonlySet<string>
  /** The value of each variable of the capture here. */
  addresses: Record<string, string>
  twins: Twins
  wire: Wire
  /** Where the capture has a webhook. */
  receiver?: Receiver | undefined
  viewer: Viewer
  /** Whole answers that have arrived and were not seen yet, by the exchanges' numbers. */
  arrived: Map<number, LiveAnswer>
  /** The moment to begin with. */
  start?: number
  /** Told when a moment is over, and what is known then. */
  reached?(moment: number, twins: Twins): void
  /** How long something may take to come, in ms. */
  patience?: number
  /** Aborts when the play is to stop, whatever goes on. */
  signal?: AbortSignal
}

/** How long a stream may stay open after its last frame, in ms. */
const endPatience = 5000

/** How long a reader who leaves waits for answers that are under way, in ms: they are kept for the next time. */
const leavePatience = 3000

/** What is said of agents that have other callers or operators than those of the capture. */
export const wantsTokens =
  'The agents want tokens, and the tutorial has none for them. With --own it plays against agents of its own.'

/** A request that got no answer, not in time, or only that a token is wanted. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered'
  readonly exchange: Exchange
  constructor(exchange: Exchange, why: string) {
    super(`exchange ${exchange.n}, ${exchange.title}: ${why}`)
    this.exchange = exchange
  }
}

/** How a play is over: played to its end, left before it, or gone another way than the capture. */
export type Outcome = 'played' | 'left' | 'otherwise'

/** @throws Unanswered if an agent does not answer, or wants a token that the tutorial has not */
export async function play({ signal, ...rest }: Play): Promise<Outcome> {
  const left = new Promise<Outcome>((resolve) => {
    signal?.addEventListener('abort', () => resolve('left'), { once: true })
  })
  const playing = playMoments(rest)
  playing.catch(() => {}) // of one that was left nobody wants to hear
  return Promise.race([playing, left])
}

async function playMoments({
  capture,
  agents,
  addresses,
  twins: given,
  wire,
  receiver,
  viewer,
  arrived,
  start = 0,
  reached = () => {},
  patience = 20_000,
}: Omit<Play, 'signal'>): Promise<Outcome> {
  let twins = given
  const moments = timeline(capture.exchanges)
  const answers = new Map<Exchange, Promise<LiveAnswer> | undefined>()
  const streams = new Map<Exchange, LiveStream>()

  try {
    await takeUp()
    for (const [index, moment] of moments.entries()) {
      if (index < start) continue
      const go = await happen(moment)
      if (go === 'leave') {
        await within(leavePatience, Promise.allSettled(answers.values()))
        return 'left'
      }
      if (go === 'otherwise') {
        await watchOn(index)
        return 'otherwise'
      }
      reached(index + 1, twins)
    }
    for (const [exchange, stream] of streams) {
      if (!exchange.answer.cut)
        viewer.ended(exchange, judgeEnd(exchange, await within(endPatience, stream.ended)))
    }
    return 'played'
  } finally {
    for (const stream of streams.values()) stream.leave()
  }

  async function happen(moment: Moment): Promise<Go> {
    const { kind, exchange } = moment
    if (exchange.to === 'webhook') {
      return kind === 'request' ? receive(exchange) : 'send'
    }
    if (agents.has(exchange.from)) return viewer.overheard(moment)
    if (kind === 'request') return ask(exchange)
    if (kind === 'answer') await hear(exchange)
    else await watch(exchange, moment.index)
    return 'send'
  }

  /**
   * Goes on with what was under way when the play was left: an answer that had not arrived is asked for again, since the same message
   * finds the same task, and a stream is replayed.
   */
  async function takeUp(): Promise<void> {
    const before = moments.slice(0, start)
    for (const { exchange, kind } of moments.slice(start)) {
      const begun = before.filter((moment) => moment.exchange === exchange)
      const own = exchange.to !== 'webhook' && !agents.has(exchange.from)
      if (kind === 'request' || !own || begun.length === 0 || answers.has(exchange)) continue
      const seen = begun.length - 1
      const request = requestOf(exchange, addresses, twins)
      if (!exchange.answer.frames) {
        const had = arrived.get(exchange.n)
        if (had) answers.set(exchange, Promise.resolve(had))
        else send(exchange, request)
        continue
      }
      const answer = send(exchange, seen === 0 ? request : subscription(exchange, request, seen, twins))
      const { stream } = await inTime(exchange, answer)
      if (stream) streams.set(exchange, seen === 0 ? stream : later(stream, seen))
    }
  }

  async function ask(exchange: Exchange): Promise<Go> {
    for (const id of strangeIds(exchange, twins)) twins.pair(id, id)
    const request = requestOf(exchange, addresses, twins)
    const go = await viewer.request(exchange, request)
    if (go === 'leave' || go === 'otherwise') return go
    if (go === 'done') answers.set(exchange, undefined)
    const answer = go === 'send' && send(exchange, request)
    if (answer && exchange.answer.frames) {
      const live = await inTime(exchange, answer)
      if (live.stream) streams.set(exchange, live.stream)
      viewer.answer(exchange, live, judgeAnswer(exchange, live, twins))
    }
    return go
  }

  function send(exchange: Exchange, request: LiveRequest): Promise<LiveAnswer> {
    const answer = wire.open(request)
    answers.set(exchange, answer)
    answer.then(
      (live) => live.stream || arrived.set(exchange.n, live),
      () => {}, // whoever waits for it hears of it
    )
    return answer
  }

  async function hear(exchange: Exchange): Promise<void> {
    let answer = answers.get(exchange)
    if (!answer) return viewer.answer(exchange, undefined, [])
    for (const late = Date.now() + patience; ; ) {
      const live = await inTime(exchange, answer)
      live.stream?.leave()
      const learning = twins.fork()
      const findings = judgeAnswer(exchange, live, learning)
      if (!isEarly(exchange, live) || Date.now() > late) {
        twins = learning
        arrived.delete(exchange.n)
        return viewer.answer(exchange, live, findings)
      }
      await pause(100)
      answer = wire.open(requestOf(exchange, addresses, twins))
    }
  }

  async function watch(exchange: Exchange, index: number): Promise<void> {
    const { frames = [], cut } = exchange.answer
    let stream = streams.get(exchange)
    let live = stream && (await within(patience, stream.frame(index)))
    if (stream?.isOver() && !live && viewer.lost) {
      viewer.lost(exchange)
      stream = await subscribeAgain(exchange, index)
      live = stream && (await within(patience, stream.frame(index)))
    }
    const findings = judgeFrame(frames[index]!, index, live, twins)
    viewer.frame(exchange, index, live, findings)
    if (cut && index === frames.length - 1) stream?.leave()
  }

  /** Undefined if the agent does not come back, or has no more of the stream. */
  async function subscribeAgain(exchange: Exchange, seen: number): Promise<LiveStream | undefined> {
    const request = subscription(exchange, requestOf(exchange, addresses, twins), seen, twins)
    for (const late = Date.now() + patience; Date.now() < late; await pause(200)) {
      const answer = await wire.open(request).catch(() => undefined)
      if (!answer) continue
      const stream = answer.stream && later(answer.stream, seen)
      if (stream) streams.set(exchange, stream)
      else streams.delete(exchange)
      return stream
    }
    streams.delete(exchange)
    return undefined
  }

  /** Shows what still comes on the streams that are open before moment `next`, to their ends. */
  async function watchOn(next: number): Promise<void> {
    for (const [exchange, stream] of streams) {
      if (exchange.answer.cut) continue
      const seen = moments.slice(0, next).filter((one) => one.kind === 'frame' && one.exchange === exchange)
      for (let index = seen.length; ; index++) {
        const live = await within(endPatience, stream.frame(index))
        if (!live) break
        viewer.unrecorded?.(exchange, live)
      }
    }
  }

  async function receive(exchange: Exchange): Promise<Go> {
    const live = await within(patience, receiver!.delivery(exchange))
    return viewer.delivery(exchange, live, judgeDelivery(exchange, live, twins))
  }

  async function inTime(exchange: Exchange, answer: Promise<LiveAnswer>): Promise<LiveAnswer> {
    const live = await within(patience, answer).catch((error: Error) => {
      throw new Unanswered(exchange, error.message)
    })
    if (live?.status === 401 && exchange.answer.status !== 401) throw new Unanswered(exchange, wantsTokens)
    if (live) return live
    throw new Unanswered(exchange, `There was no answer within ${patience / 1000} s.`)
  }
}
