// Answers the push notifications of a capture as its file says.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface Delivery {
  method: string
  path: string
  /** Names in lower case. */
  headers: Record<string, string>
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
export async function openReceiver(answer: (delivery: Delivery) => number, port = 0): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)])
    const { method = '', url: path = '' } = request
    const body = await text(request)
    response.writeHead(answer({ method, path, headers: Object.fromEntries(headers), body })).end()
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
