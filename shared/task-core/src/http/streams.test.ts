import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { Agent } from '../define-agent.ts'
import { createAdmit } from '../operations/index.ts'
import { bareAgent } from '../testing/bare-agent.ts'
import { createServer } from './server.ts'

/** An agent that is served over HTTP, and its feed. */
async function start(run: Agent['run']) {
  const { feed, log, context, operations } = await bareAgent(run)
  const admit = createAdmit(context.card)
  const app = await createServer({
    context,
    operations,
    admit,
    cards: new Promise(() => {}),
    log,
    operators: {},
    publicUrl: () => '',
    permitsHost: () => true,
    isLocal: false,
    tls: undefined,
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => app.close())
  return { feed, app, port: (app.server.address() as { port: number }).port }
}

/** Calls on a connection of its own, and resolves with it when the first of the answer is there, if one is to be waited for. */
async function call(port: number, method: string, params: object, waits = true): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const head = [`POST /a2a HTTP/1.1`, 'Host: x', 'A2A-Version: 1.0', 'Content-Type: application/json']
  socket.write(`${[...head, `Content-Length: ${body.length}`].join('\r\n')}\r\n\r\n${body}`)
  if (waits) await once(socket, 'data')
  return socket
}

const message = (text: string) => ({
  message: { messageId: `${text}-${Math.random()}`, role: 'ROLE_USER', parts: [{ text }] },
})
const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length

test.each(['SendStreamingMessage', 'SendMessage'])(
  'clients that leave a %s take their watch, their timer and their connection along',
  async (method) => {
    const clients = 40
    const before = timers()
    const { feed, app, port } = await start((task) => task.step('work', () => new Promise<never>(() => {})))
    const streams = method === 'SendStreamingMessage'
    const sockets = await Promise.all(
      Array.from({ length: clients }, (_, nth) => call(port, method, message(`${nth}`), streams)),
    )
    await expect.poll(() => feed.watching()).toBe(clients)
    expect(timers(), 'timers while they are there: one for all').toBeLessThan(before + clients / 2)
    for (const [nth, socket] of sockets.entries()) nth % 2 ? socket.destroy() : socket.resetAndDestroy()
    await expect.poll(() => feed.watching()).toBe(0)
    await expect.poll(timers).toBeLessThanOrEqual(before)
    await expect.poll(() => connections(app.server)).toBe(0)
  },
)

test('a client that leaves before its stream has begun leaves nothing behind', async () => {
  const { feed, app, port } = await start((task) => task.step('work', () => new Promise<never>(() => {})))
  for (let nth = 0; nth < 40; nth += 1) {
    const socket = await call(port, 'SendStreamingMessage', message('go'), false)
    socket.destroySoon() // sends the request, and does not wait for an answer
    await once(socket, 'close')
  }
  await expect.poll(() => connections(app.server)).toBe(0)
  await expect.poll(() => feed.watching()).toBe(0)
})

const connections = (server: {
  getConnections(done: (error: Error | null, count: number) => void): unknown
}) =>
  new Promise<number>((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )
