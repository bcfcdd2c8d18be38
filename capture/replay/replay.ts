// Lets httpyac send the requests of a capture to its agents, each at the moment at which it was recorded.
import type { ParsedCapture } from '../format.ts'
import type { Exchange } from '../model.ts'
import type { RawExchange, Recorder } from '../recorder.ts'
import type { Scenario } from '../story.ts'
import { bodyFrom, cameTooEarly, clockAt, type Seen, seenByHttpyac, seenOnWire } from './answers.ts'
import { openHttpyac, type Sending } from './httpyac.ts'
import { openStands, type Stands } from './stands.ts'
import { moment, soon, until } from './wait.ts'

/** What became of an exchange. */
export interface Outcome {
  exchange: Exchange
  /** What the client saw; of an exchange that an agent began, what that agent saw. */
  seen: Seen
  /** Of an exchange that an agent began: the body that it sent, and the status of httpyac's request for the same. */
  agent?: { sent: unknown; repeated: number }
}

/** An exchange that goes on. */
interface Running {
  exchange: Exchange
  recorder: Recorder
  raw: RawExchange
  /** Undefined if an agent sent it. */
  sending?: Sending
}

/**
 * Starts the agents of `scenario`, sends what stands in `text`, the `.http` file of `capture`, and gives the outcomes in order.
 * @throws Error when something that the file tells does not come
 */
export async function replay(capture: ParsedCapture, scenario: Scenario, text: string): Promise<Outcome[]> {
  const stands = await openStands(capture, scenario, text)
  try {
    return await run(capture, stands)
  } finally {
    await stands.close()
  }
}

async function run({ name, exchanges }: ParsedCapture, stands: Stands): Promise<Outcome[]> {
  const { wire, among, isAgent, clock, secrets, written } = stands
  const httpyac = await openHttpyac(`${name}.http`, stands.text)
  const running: Running[] = []
  const repeats: { exchange: Exchange; own: RawExchange; sending: Sending; raw: RawExchange | undefined }[] =
    []
  const outcomes = new Map<number, Outcome>()
  let patience = 10_000 // ms, for answers that come too early; after one that stays wrong there is none

  /** Sends a request and waits until it is under way; `raw` is undefined if it goes to no agent. */
  async function send({ n }: Exchange): Promise<{ sending: Sending; raw: RawExchange | undefined }> {
    const at = wire.exchanges.length
    const sending = httpyac.send(`ex${String(n).padStart(2, '0')}`, secrets)
    const begun = wire.until(() => wire.exchanges.length > at)
    await soon(Promise.race([begun, sending.done]), `request ${n} to be sent`)
    return { sending, raw: wire.exchanges[at] }
  }

  /** Waits for what had happened before `next` began; without `next` for all. */
  async function settle(next: Exchange | undefined): Promise<void> {
    for (const one of [...running]) {
      const { exchange, recorder, raw, sending } = one
      const { n, answer } = exchange
      const ended = () => raw.endedAt !== undefined
      if (answer.frames) {
        const mark = next?.after.find((seen) => seen.exchange === n)
        const count = mark?.frames ?? answer.frames.length
        const come = recorder.until(() => (raw.frames?.length ?? 0) >= count || ended())
        await soon(come, `frame ${count} of exchange ${n}`)
        if (mark) continue
        if (answer.cut && sending) sending.cancel()
        else if (next) continue
      } else if (next && (answer.endedAfter ?? n) >= next.n) continue
      await soon(recorder.until(ended), `exchange ${n} to end`)
      const shown = await sending?.done
      const seen = shown ? seenByHttpyac(shown, exchange, written) : seenOnWire(raw, exchange, written)
      outcomes.set(n, { exchange, seen })
      running.splice(running.indexOf(one), 1)
    }
  }

  async function byClient(exchange: Exchange): Promise<void> {
    const { n, to, answer } = exchange
    const least = clockAt(exchange) ?? 0
    await soon(
      until(() => clock(to) >= least),
      `the clock of ${to} before exchange ${n}`,
    )
    for (const start = performance.now(); ; await moment()) {
      const { sending, raw } = await send(exchange)
      if (answer.frames || answer.endedAfter !== undefined) {
        running.push({ exchange, recorder: wire, raw: raw!, sending })
        return
      }
      const shown = await soon(sending.done, `the answer to ${n}`)
      const seen = seenByHttpyac(shown!, exchange, written)
      outcomes.set(n, { exchange, seen })
      if (!cameTooEarly(exchange, seen)) return
      if (performance.now() - start > patience) {
        patience = 0
        return
      }
    }
  }

  /** An agent sends it by itself; httpyac, which sends whatever stands in the file, then only repeats it. */
  async function byAgent(exchange: Exchange): Promise<void> {
    const { n, from, to, answer } = exchange
    const nth = exchanges.filter((one) => one.n < n && isAgent(one.from)).length
    await soon(
      among.until(() => among.exchanges.length > nth),
      `exchange ${n} by ${from}`,
    )
    const own = among.exchanges[nth]!
    running.push({ exchange, recorder: among, raw: own })
    // A request whose answer needs nothing further is answered before it is repeated, so that the agent's own is the first.
    const answered = () => own.endedAt !== undefined || (answer.frames !== undefined && own.status > 0)
    if (answer.endedAfter === undefined) await soon(among.until(answered), `the answer to ${n}, by ${from}`)
    stands.repeats(exchange)
    const { sending, raw } = await send(exchange)
    if (to === 'webhook') await soon(sending.done, `the answer to ${n}, repeated`)
    repeats.push({ exchange, own, sending, raw })
  }

  for (const exchange of exchanges) {
    await settle(exchange)
    if (isAgent(exchange.from)) await byAgent(exchange)
    else await byClient(exchange)
  }
  await settle(undefined)
  for (const { exchange, own, sending, raw } of repeats) {
    if (raw) {
      await soon(
        wire.until(() => raw.status > 0),
        `the answer to ${exchange.n}, repeated`,
      )
      if (raw.endedAt === undefined) sending.cancel()
    }
    const answer = await sending.done
    const agent = { sent: bodyFrom(written(own.requestBody)), repeated: answer?.status ?? raw!.status }
    outcomes.set(exchange.n, { exchange, seen: seenOnWire(own, exchange, written), agent })
  }
  return exchanges.map(({ n }) => outcomes.get(n)!)
}
