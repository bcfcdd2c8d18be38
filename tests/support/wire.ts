// A bare connection: what goes over it, byte for byte.
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Wire {
  socket: Socket
  send(text: string): void
  /** All that came so far. */
  text(): string
  /** Resolves when what came matches, within a thousand characters; rejects when the connection ends before that. */
  until(pattern: RegExp): Promise<void>
}

/** Connects to `port`; closed when the test is over. */
export async function openWire(port: number): Promise<Wire> {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {}) // an end like any other
  await once(socket, 'connect')
  let text = ''
  let news = Promise.withResolvers<void>()
  const tell = () => {
    news.resolve()
    news = Promise.withResolvers()
  }
  socket.on('close', tell).on('end', tell)
  socket.setEncoding('utf8').on('data', (data: string) => {
    text += data
    tell()
  })
  return {
    socket,
    send: (some) => void socket.write(some),
    text: () => text,
    async until(pattern) {
      for (let from = 0; !pattern.test(text.slice(from)); ) {
        from = Math.max(0, text.length - 1000)
        if (socket.closed || socket.readableEnded) {
          throw new Error(`The connection ended without ${pattern}: ${text.slice(-500)}`)
        }
        await news.promise
      }
    },
  }
}

/** The request line and headers of a subscription over HTTP+JSON. */
export const subscription = (id: string) =>
  `GET /a2a/tasks/${id}:subscribe HTTP/1.1\r\nHost: localhost\r\nA2A-Version: 1.0\r\n\r\n`

/** The same over JSON-RPC. */
export function subscriptionByRpc(id: string): string {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SubscribeToTask', params: { id } })
  const headers = [
    'Host: localhost',
    'A2A-Version: 1.0',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ]
  return `POST /a2a HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${body}`
}

/** What the first response in `text` carries in chunked coding, up to here; it must be ASCII. */
export function bodyOf(text: string): string {
  let rest = text.slice(text.indexOf('\r\n\r\n') + 4)
  let body = ''
  for (;;) {
    const [line, size] = /^([0-9a-f]+)\r\n/.exec(rest) ?? []
    if (line === undefined || Number(`0x${size}`) === 0) return body
    body += rest.slice(line.length, line.length + Number(`0x${size}`))
    rest = rest.slice(line.length + Number(`0x${size}`) + 2)
  }
}

/** A proxy to `port` that cuts a connection on which nothing has come from the agent for `idle` ms. @returns its port */
export async function impatientProxy(port: number, idle: number): Promise<number> {
  const sockets = new Set<Socket>()
  const proxy = createServer((client) => {
    const agent = connect(port, '127.0.0.1')
    const cut = () => {
      client.destroy()
      agent.destroy()
    }
    agent.setTimeout(idle, cut)
    for (const socket of [client, agent]) {
      sockets.add(socket)
      socket.on('error', cut).on('close', cut)
    }
    client.pipe(agent).pipe(client)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    proxy.close()
  })
  const address = proxy.address()
  return typeof address === 'object' && address ? address.port : 0
}
