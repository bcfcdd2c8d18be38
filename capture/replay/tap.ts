// Stands between a client and an agent and passes everything on, so that a stream is seen while it comes.
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { type Dispatcher, request } from 'undici'

export interface Tap {
  url: string
  close(): Promise<void>
}

/** Headers that are about one connection, and are made anew for the next. */
const ofConnection = new Set(['connection', 'content-length', 'host', 'keep-alive', 'transfer-encoding'])

const passed = (headers: IncomingHttpHeaders) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !ofConnection.has(name)))

/** Leads to `base` by `dispatcher`, until the client or the agent leaves. */
export async function openTap(base: string, dispatcher: Dispatcher): Promise<Tap> {
  const server = createServer(async (asked, answer) => {
    const leave = new AbortController()
    answer.once('close', () => leave.abort())
    try {
      const body = await text(asked)
      const {
        statusCode,
        headers,
        body: answered,
      } = await request(`${base}${asked.url}`, {
        method: asked.method as Dispatcher.HttpMethod,
        headers: passed(asked.headers),
        ...(body !== '' && { body }),
        signal: leave.signal,
        dispatcher,
      })
      answer.writeHead(statusCode, passed(headers)).flushHeaders()
      await pipeline(answered, answer)
    } catch {
      answer.destroy()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://localhost:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
