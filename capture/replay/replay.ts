// Lets httpyac send the requests of a capture to its agents, each at the moment at which it was recorded.
import { STATUS_CODES } from 'node:http'
import type { ParsedCapture } from '../format.ts'
import { type AgentName, kinds, startKit } from '../kit.ts'
import type { Exchange } from '../model.ts'
import { openReceiver, type Receiver } from '../receiver.ts'
import { createRecorder, type RawExchange, type Recorder } from '../recorder.ts'
import { createSecrets } from '../secrets.ts'
import { type Scenario, seatsOf } from '../story.ts'
import { webhookBase } from '../webhook.ts'
import { bodyFrom, cameTooEarly, clockAt, type Seen, seenByHttpyac, seenOnWire } from './answers.ts'
import { type HttpyacAnswer, openHttpyac, type Sending } from './httpyac.ts'
import { openTap } from './tap.ts'

/** What became of an exchange. */
export interface Outcome {
  exchange: Exchange
  /** What the client saw; of an exchange between agents, what they saw. */
  seen: Seen
  /** Of an exchange between agents: the body that the agent sent, and how httpyac's request for the same was answered. */
  agent?: { sent: unknown; repeated: number }
}

/** An exchange that goes on or has ended. */
interface Running {
  exchange: Exchange
  recorder: Recorder
  raw: RawExchange
  sending?: Sending
}

/** How long anything may take, in ms. */
const patience = 20_000

/**
 * Starts the agents of `scenario`, sends what stands in `text`, the `.http` file of `capture`, and gives the outcomes in order.
 * @throws Error when something that the file tells does not come
 */
export async function replay(capture: ParsedCapture, scenario: Scenario, text: string): Promise<Outcome[]> {
  const { name, exchanges } = capture
  const secrets = createSecrets()
  const seats = seatsOf(scenario, secrets.of)
  for (const secret of capture.secrets) secrets.of(secret)
  const wire = createRecorder() // what httpyac sends
  const among = createRecorder() // what agents send
  const closing: (() => Promise<void>)[] = [() => wire.close(), () => among.close()]

  try {
    const kit = await startKit({
      capture: name,
      seats,
      dispatcher: (from) => among.dispatcher(from),
      listens(agent, port) {
        for (const recorder of [wire, among]) recorder.lead(kinds[agent].port, port)
      },
    })
    closing.unshift(kit.close)
    return await run(kit.clock)
  } finally {
    for (const close of closing) await close()
  }

  async function run(clock: (agent: AgentName) => number): Promise<Outcome[]> {
    let own = text
    let webhook: Receiver | undefined
    for (const [variable, base] of Object.entries(capture.variables)) {
      const stand =
        base === webhookBase ? await openWebhook() : await openTap(base, wire.dispatcher('httpyac'))
      if (base === webhookBase) webhook = stand
      closing.unshift(stand.close)
      own = own.replace(`@${variable} = ${base}\n`, `@${variable} = ${stand.url}\n`)
    }
    const written = (some: string) =>
      secrets.hidden(webhook ? some.replaceAll(webhook.url, webhookBase) : some)
    const httpyac = await openHttpyac(`${name}.http`, own)
    const running: Running[] = []
    const repeats: { n: number; sending: Sending; raw: RawExchange | undefined }[] = []
    const outcomes = new Map<number, Outcome>()

    const send = (n: number) => httpyac.send(`ex${String(n).padStart(2, '0')}`, secrets.all())

    /** Sends a request and waits until it is under way. */
    async function begin(exchange: Exchange): Promise<Running & { sending: Sending }> {
      const at = wire.exchanges.length
      const sending = send(exchange.n)
      const begun = wire.until(() => wire.exchanges.length > at)
      await soon(Promise.race([begun, sending.done]), `request ${exchange.n} to be sent`)
      return { exchange, recorder: wire, raw: wire.exchanges[at]!, sending }
    }

    const outcome = (exchange: Exchange, raw: RawExchange, answer: HttpyacAnswer | undefined): Outcome => ({
      exchange,
      seen: answer ? seenByHttpyac(answer, exchange, written) : seenOnWire(raw, exchange, written),
    })

    /** Waits for what had happened before `next` began; of the end, undefined, for all that happened. */
    async function settle(next: Exchange | undefined): Promise<void> {
      for (const one of [...running]) {
        const { exchange, recorder, raw, sending } = one
        const { n, answer } = exchange
        const mark = next?.after.find((seen) => seen.exchange === n)
        const ended = () => raw.endedAt !== undefined
        if (answer.frames) {
          const count = mark?.frames ?? answer.frames.length
          const come = recorder.until(() => (raw.frames?.length ?? 0) >= count || ended())
          await soon(come, `frame ${count} of exchange ${n}`)
          if (mark) continue
          if (answer.cut && sending) sending.cancel()
          else if (next) continue
        } else if (next && (answer.endedAfter ?? n) >= next.n) continue
        await soon(recorder.until(ended), `exchange ${n} to end`)
        if (sending) outcomes.set(n, outcome(exchange, raw, await sending.done))
        running.splice(running.indexOf(one), 1)
      }
    }

    async function byClient(exchange: Exchange): Promise<void> {
      const least = clockAt(exchange)
      const agent = exchange.to as AgentName
      if (least !== undefined) {
        await soon(
          poll(() => clock(agent) >= least),
          `the clock of ${agent} before exchange ${exchange.n}`,
        )
      }
      const giveUp = performance.now() + patience
      for (;;) {
        const begun = await begin(exchange)
        const { answer } = exchange
        if (answer.frames || answer.endedAfter !== undefined) {
          running.push(begun)
          return
        }
        const came = outcome(exchange, begun.raw, await soon(begun.sending.done, `answer ${exchange.n}`))
        outcomes.set(exchange.n, came)
        if (!cameTooEarly(exchange, came.seen) || performance.now() > giveUp) return
      }
    }

    /** The agents send it themselves; httpyac, which sends everything that stands in the file, then only repeats it. */
    async function byAgent(exchange: Exchange): Promise<void> {
      const nth = exchanges.filter(({ n, from }) => n < exchange.n && from in seats).length
      await soon(
        among.until(() => among.exchanges.length > nth),
        `exchange ${exchange.n} by ${exchange.from}`,
      )
      const raw = among.exchanges[nth]!
      running.push({ exchange, recorder: among, raw })
      await settleBegin(exchange, raw)
      const at = wire.exchanges.length
      const sending = send(exchange.n)
      const begun = wire.until(() => wire.exchanges.length > at)
      await soon(Promise.race([begun, sending.done]), `request ${exchange.n} to be sent`)
      repeats.push({ n: exchange.n, sending, raw: wire.exchanges[at] })
    }

    /** The agent's own request comes first, so it is seen to be answered where that does not take further requests. */
    const settleBegin = ({ n, answer }: Exchange, raw: RawExchange): Promise<void> =>
      answer.endedAfter !== undefined
        ? Promise.resolve()
        : soon(
            among.until(() => raw.endedAt !== undefined || (answer.frames !== undefined && raw.status > 0)),
            `the answer to the agent's own exchange ${n}`,
          )

    for (const exchange of exchanges) {
      await settle(exchange)
      if (exchange.from in seats) await byAgent(exchange)
      else await byClient(exchange)
    }
    await settle(undefined)
    for (const { n, sending, raw } of repeats) {
      const answered = raw ? wire.until(() => raw.status > 0) : sending.done
      await soon(Promise.resolve(answered), `the answer to ${n}, repeated`)
      if (raw && raw.endedAt === undefined) sending.cancel()
      const answer = await sending.done
      const exchange = exchanges[n - 1]!
      const own = among.exchanges[exchanges.filter((one) => one.n < n && one.from in seats).length]!
      outcomes.set(n, {
        exchange,
        seen: seenOnWire(own, exchange, written),
        agent: { sent: bodyFrom(written(own.requestBody)), repeated: answer?.status ?? raw!.status },
      })
    }
    return exchanges.map(({ n }) => outcomes.get(n)!)
  }

  /** Answers the agents' deliveries as recorded, in order, and httpyac's repeats of them like these. */
  function openWebhook(): Promise<Receiver> {
    const deliveries = exchanges.filter(({ to }) => to === 'webhook')
    let arrived = 0
    return openReceiver(({ method, path, headers, body }) => {
      if (headers['user-agent'] === 'httpyac') return deliveries[arrived - 1]?.answer.status ?? 500
      const delivery = deliveries[arrived]
      arrived += 1
      const status = delivery?.answer.status ?? 204
      among.add({
        from: delivery?.from ?? 'an agent',
        method,
        url: `${webhookBase}${path}`,
        requestHeaders: Object.entries(headers),
        requestBody: body,
        status,
        reason: STATUS_CODES[status] ?? '',
        headers: [],
        body: '',
        frames: undefined,
        cut: false,
      })
      return status
    })
  }
}

async function soon<T>(what: Promise<T>, name: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Waited ${patience / 1000} s in vain for ${name}.`)), patience)
  })
  try {
    return await Promise.race([what, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Resolves once `check` holds. */
async function poll(check: () => boolean): Promise<void> {
  while (!check()) await new Promise((resolve) => setTimeout(resolve, 5))
}
