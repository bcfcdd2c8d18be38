// A receiver of push notifications.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Header } from './model.ts'
import { pairs } from './recorder.ts'

export interface Delivery {
  method: string
  path: string
  headers: Header[]
  body: string
}

export interface Receiver {
  url: string
  close(): Promise<void>
}

/**
 * Listens on `port`, by default a free one; `answer` gives the status.
 * @throws Error when the port is taken
 */
export async function openReceiver(
  answer: (delivery: Delivery) => number | Promise<number>,
  port = 0,
): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    const { method = '', url: path = '', rawHeaders } = request
    const delivery = { method, path, headers: pairs(rawHeaders), body: await text(request) }
    response.writeHead(await answer(delivery)).end()
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve)
  })
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
