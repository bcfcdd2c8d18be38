// Receives push notifications in place of the capture's webhook, and answers each as the recorded one was answered.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Body, Exchange, Header } from '../../capture/model.ts'
import { parsed } from './wire.ts'

export interface Delivery {
  method: string
  path: string
  headers: Header[]
  body: Body
}

/** What is kept of a receiver: its port, and what has arrived, by the exchanges' numbers. */
export interface ReceiverState {
  port: number
  arrived: [exchange: number, delivery: Delivery][]
}

export interface Receiver {
  url: string
  /** The delivery that stands in the capture as `exchange`, once it is there. */
  delivery(exchange: Exchange): Promise<Delivery>
  state(): ReceiverState
  close(): void
}

/** `recorded` are the deliveries of the capture: those to one path come in their order. Port 0 is a free one. */
export async function openReceiver(
  recorded: Exchange[],
  { port, arrived: before }: ReceiverState = { port: 0, arrived: [] },
): Promise<Receiver> {
  const arrived = new Map(before)
  const waiting = new Map(recorded.map(({ n }) => [n, Promise.withResolvers<Delivery>()]))
  for (const [n, delivery] of arrived) waiting.get(n)?.resolve(delivery)
  const due = recorded.filter(({ n }) => !arrived.has(n))
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    const body = await text(request).catch(() => '')
    const at = due.findIndex(({ request }) => request.url === `{{webhook}}${url}`)
    const [expected] = at === -1 ? [] : due.splice(at, 1)
    response.writeHead(expected?.answer.status ?? 204).end()
    if (!expected) return
    const fields = Object.entries(headers).map(([name, value]): Header => [name, String(value)])
    arrived.set(expected.n, { method, path: url, headers: fields, body: parsed(body) })
    waiting.get(expected.n)!.resolve(arrived.get(expected.n)!)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const listening = (server.address() as AddressInfo).port
  return {
    url: `http://localhost:${listening}`,
    delivery: ({ n }) => waiting.get(n)!.promise,
    state: () => ({ port: listening, arrived: [...arrived] }),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
