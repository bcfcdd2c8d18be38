// Receives push notifications in place of the capture's webhook, and answers each as the recorded one was answered.
import type { Body, Exchange } from '../../capture/model.ts'
import * as capture from '../../capture/receiver.ts'
import { parsed } from './wire.ts'

export type Delivery = Omit<capture.Delivery, 'body'> & { body: Body }

/** What is kept of a receiver: its port, and what has arrived, by the exchanges' numbers. */
export interface ReceiverState {
  port: number
  arrived: [exchange: number, delivery: Delivery][]
}

export interface Receiver extends capture.Receiver {
  /** The delivery that stands in the capture as `exchange`, once it is there. */
  delivery(exchange: Exchange): Promise<Delivery>
  state(): ReceiverState
}

/**
 * `recorded` are the deliveries of the capture: those to one path come in their order. Port 0 is a free one.
 * @throws Error when the port is taken
 */
export async function openReceiver(
  recorded: Exchange[],
  { port, arrived: before }: ReceiverState = { port: 0, arrived: [] },
): Promise<Receiver> {
  const arrived = new Map(before)
  const waiting = new Map(recorded.map(({ n }) => [n, Promise.withResolvers<Delivery>()]))
  for (const [n, delivery] of arrived) waiting.get(n)?.resolve(delivery)
  const due = recorded.filter(({ n }) => !arrived.has(n))

  const receiver = await capture.openReceiver(({ body, ...head }) => {
    const at = due.findIndex(({ request }) => request.url === `{{webhook}}${head.path}`)
    const [expected] = at === -1 ? [] : due.splice(at, 1)
    if (!expected) return 204
    const delivery = { ...head, body: parsed(body) }
    arrived.set(expected.n, delivery)
    waiting.get(expected.n)!.resolve(delivery)
    return expected.answer.status
  }, port)
  return {
    ...receiver,
    delivery: ({ n }) => waiting.get(n)!.promise,
    state: () => ({ port: Number(new URL(receiver.url).port), arrived: [...arrived] }),
  }
}
