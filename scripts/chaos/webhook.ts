// A receiver of push notifications that misbehaves when it is told to, and remembers what came to which path.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { StreamResponse } from '@a2a-kit/task-core/protocol'

export const webhookFaults = [
  'slow',
  'status 500',
  'status 429',
  'reset',
  'redirect',
  'huge answer',
  'no answer',
] as const
export type WebhookFault = (typeof webhookFaults)[number]

export interface Delivery {
  event: StreamResponse
  token: string | undefined
  /** Whether it was answered with 200. */
  taken: boolean
}

export interface Webhook {
  fault: WebhookFault | undefined
  /** An address for the events of one task. */
  url(path: string): string
  /** What came to the path, taken or not, in order. */
  came(path: string): Delivery[]
  /** Paths that nobody gave out and that something came to all the same. */
  strangers(): string[]
  /** Closes the connections that are kept open for the next delivery. */
  drop(): void
  close(): Promise<void>
}

export async function startWebhook(): Promise<Webhook> {
  const given = new Map<string, Delivery[]>()
  const strangers: string[] = []

  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (some: string) => {
      text += some
    })
    request.on('error', () => {})
    request.on('end', () => {
      const path = request.url ?? ''
      const token = request.headers['x-a2a-notification-token']
      const deliveries = given.get(path)
      if (!deliveries) strangers.push(`${request.method} ${path}`)
      const event = JSON.parse(text) as StreamResponse
      const delivery: Delivery = { event, token: [token].flat()[0], taken: false }
      deliveries?.push(delivery)
      answer(response, delivery)
    })
  })

  function answer(response: ServerResponse, delivery: Delivery): void {
    const { fault } = webhook
    delivery.taken = fault === undefined || fault === 'slow' || fault === 'huge answer'
    const { port } = server.address() as AddressInfo
    switch (fault) {
      case 'slow':
        setTimeout(() => response.end('noted'), 150)
        return
      case 'status 500':
        response.writeHead(500).end('no')
        return
      case 'status 429':
        response.writeHead(429, { 'Retry-After': '0' }).end('later')
        return
      case 'reset':
        response.socket?.resetAndDestroy()
        return
      case 'redirect':
        response.writeHead(307, { Location: `http://127.0.0.1:${port}/stranger` }).end()
        return
      case 'huge answer':
        response.writeHead(200).end(Buffer.alloc(8 * 1024 * 1024, 'x'))
        return
      case 'no answer':
        return
      default:
        response.end('noted')
    }
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const webhook: Webhook = {
    fault: undefined,
    url(path) {
      given.set(path, [])
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
    },
    came: (path) => given.get(path) ?? [],
    strangers: () => strangers.splice(0),
    drop: () => server.closeAllConnections(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return webhook
}
