// What stands around a replay: the agents of a capture on its seeds, a tap before each, and a receiver of push notifications.
import type { ParsedCapture } from '../format.ts'
import { type AgentName, kinds, startKit } from '../kit.ts'
import type { Exchange } from '../model.ts'
import { type Delivery, openReceiver, type Receiver } from '../receiver.ts'
import { createRecorder, type Recorder } from '../recorder.ts'
import { createSecrets } from '../secrets.ts'
import { type Scenario, seatsOf } from '../story.ts'
import { asExchange, webhookBase } from '../webhook.ts'
import type { Written } from './answers.ts'
import { openTap } from './tap.ts'

export interface Stands {
  /** The file with the variables set to where things listen. */
  text: string
  secrets: Record<string, string>
  written: Written
  /** What httpyac sends to agents. */
  wire: Recorder
  /** What agents send, to each other and to the webhook. */
  among: Recorder
  /** Whether that is one of the agents that run. */
  isAgent(name: string): boolean
  /** Where the clock of an agent stands. */
  clock(agent: string): number
  /** Has the receiver take what httpyac sends next for a repeat of that delivery. */
  repeats(delivery: Exchange): void
  close(): Promise<void>
}

/** `text` is the `.http` file of `capture`. */
export async function openStands(capture: ParsedCapture, scenario: Scenario, text: string): Promise<Stands> {
  const secrets = createSecrets()
  const seats = seatsOf(scenario, secrets.of)
  for (const secret of capture.secrets) secrets.of(secret)
  const wire = createRecorder()
  const among = createRecorder()
  const closing: (() => Promise<void>)[] = [() => wire.close(), () => among.close()]
  const close = async () => {
    for (const one of closing.toReversed()) await one()
  }

  const deliveries = capture.exchanges.filter(({ to }) => to === 'webhook')
  let repeated: Exchange | undefined
  function receive(delivery: Delivery): number {
    if (delivery.headers.some(([, value]) => value === 'httpyac')) return repeated?.answer.status ?? 500
    const { from = 'an agent', answer: { status = 204 } = {} } = deliveries.shift() ?? {}
    among.add(asExchange(delivery, from, status))
    return status
  }

  try {
    const kit = await startKit({
      capture: capture.name,
      seats,
      dispatcher: (from) => among.dispatcher(from),
      listens(agent, port) {
        for (const recorder of [wire, among]) recorder.lead(kinds[agent].port, port)
      },
    })
    closing.push(kit.close)
    let own = text
    let webhook: Receiver | undefined
    for (const [variable, base] of Object.entries(capture.variables)) {
      const stand =
        base === webhookBase ? await openReceiver(receive) : await openTap(base, wire.dispatcher('httpyac'))
      if (base === webhookBase) webhook = stand
      closing.push(stand.close)
      own = own.replace(`@${variable} = ${base}\n`, `@${variable} = ${stand.url}\n`)
    }
    return {
      text: own,
      secrets: secrets.all(),
      written: (some) => secrets.hidden(webhook ? some.replaceAll(webhook.url, webhookBase) : some),
      wire,
      among,
      isAgent: (name) => name in seats,
      clock: (agent) => kit.clock(agent as AgentName),
      repeats(delivery) {
        repeated = delivery
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
