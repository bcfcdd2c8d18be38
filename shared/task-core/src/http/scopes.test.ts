import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { activeScope, plainTracer } from '../telemetry/index.ts'
import { realWorld } from '../world.ts'
import { requestScopes, scopeHandlers } from './scopes.ts'

/** A server that answers with the trace of the scope that its handler runs in. */
async function start(): Promise<number> {
  const app = fastify()
  scopeHandlers(
    app,
    requestScopes({ tracer: plainTracer(realWorld) }, () => 'none'),
  )
  app.all('/', async () => activeScope()?.trace?.traceId ?? 'none')
  await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => app.close())
  return (app.server.address() as { port: number }).port
}

const body = '{"a":1}'
const traceId = (nth: number) => `${nth}`.padStart(32, 'a')

async function sendHead(port: number, nth: number, method = 'POST'): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  const head = [
    `${method} / HTTP/1.1`,
    'Host: x',
    'Connection: close',
    `traceparent: 00-${traceId(nth)}-${'b'.repeat(16)}-01`,
  ]
  const length = method === 'POST' ? ['Content-Type: application/json', `Content-Length: ${body.length}`] : []
  socket.write(`${[...head, ...length].join('\r\n')}\r\n\r\n`)
  await once(socket, 'connect')
  return socket
}

test('a handler runs in the scope of its request, whichever body comes first, and in however many parts', async () => {
  const port = await start()
  const sockets = await Promise.all([1, 2, 3, 4].map((nth) => sendHead(port, nth)))
  const answers = sockets.map((socket) => text(socket))
  for (const part of [body.slice(0, 3), body.slice(3)]) {
    for (const socket of sockets.toReversed()) socket.write(part)
  }
  expect((await Promise.all(answers)).map((answer) => answer.slice(-32))).toEqual([1, 2, 3, 4].map(traceId))
})

test('a handler of a request without a body runs in its scope too', async () => {
  const socket = await sendHead(await start(), 7, 'GET')
  expect((await text(socket)).slice(-32)).toBe(traceId(7))
})
