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

export interface Receiver {
  url: string
  port: number
  /** The delivery that stands in the capture as `exchange`, once it is there. */
  delivery(exchange: Exchange): Promise<Delivery>
  close(): void
}

/** `recorded` are the deliveries of the capture: those to one path come in their order. `port` 0 is a free one. */
export async function openReceiver(recorded: Exchange[], port = 0): Promise<Receiver> {
  const waiting = new Map(recorded.map(({ n }) => [n, Promise.withResolvers<Delivery>()]))
  const due = [...recorded]
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    const body = await text(request).catch(() => '')
    const at = due.findIndex(({ request }) => request.url === `{{webhook}}${url}`)
    const [expected] = at === -1 ? [] : due.splice(at, 1)
    response.writeHead(expected?.answer.status ?? 204).end()
    if (!expected) return
    const fields = Object.entries(headers).map(([name, value]): Header => [name, String(value)])
    waiting.get(expected.n)!.resolve({ method, path: url, headers: fields, body: parsed(body) })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const listening = (server.address() as AddressInfo).port
  return {
    url: `http://localhost:${listening}`,
    port: listening,
    delivery: ({ n }) => waiting.get(n)!.promise,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
