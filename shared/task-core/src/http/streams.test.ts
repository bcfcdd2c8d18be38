import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { type Agent, defineAgent } from '../define-agent.ts'
import { createEngine } from '../engine/engine.ts'
import { createWriter } from '../engine/writer.ts'
import { createFeed } from '../feed/feed.ts'
import { createAdmit, createOperations } from '../operations/index.ts'
import type { AgentCard } from '../protocol/index.ts'
import { defaultSettings } from '../settings.ts'
import { openStore } from '../store/index.ts'
import { realWorld } from '../world.ts'
import { createServer } from './server.ts'

const card = {
  defaultInputModes: ['text/plain'],
  skills: [],
  capabilities: { streaming: true },
} as unknown as AgentCard

/** An agent put together by hand, so that one can look into its feed. */
async function start(run: Agent['run']) {
  const folder = await mkdtemp(join(tmpdir(), 'a2a-kit-'))
  const log = pino({ level: 'silent' })
  const store = openStore(join(folder, 'test.db'), realWorld)
  const feed = createFeed(store)
  const agent = defineAgent({ card: { ...card, name: 'test' }, run })
  const pushes = { wake: () => {}, stop: () => {}, refusal: () => undefined }
  const world = realWorld
  const writer = createWriter({ store, feed, pushes, world, log })
  const approveUrl = () => 'http://x'
  const denyUrl = approveUrl
  const settings = defaultSettings
  const core = { agent, store, feed, pushes, writer, world, log, settings, approveUrl, denyUrl }
  const engine = createEngine(core)
  const context = { core, engine, card }
  const [operations, admit] = [createOperations(context), createAdmit(card)]
  const app = await createServer({ context, operations, admit, cards: new Promise(() => {}), log })
  await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(async () => {
    await app.close()
    engine.close()
    store.close()
    await rm(folder, { recursive: true })
  })
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
    const { feed, app, port } = await start((task) => task.step('work', () => new Promise<never>(() => {})))
    const streams = method === 'SendStreamingMessage'
    const sockets = await Promise.all(
      Array.from({ length: clients }, (_, nth) => call(port, method, message(`${nth}`), streams)),
    )
    await expect.poll(() => feed.watching()).toBe(clients)
    if (streams) expect(timers()).toBeGreaterThanOrEqual(clients)
    for (const [nth, socket] of sockets.entries()) nth % 2 ? socket.destroy() : socket.resetAndDestroy()
    await expect.poll(() => feed.watching()).toBe(0)
    await expect.poll(timers).toBeLessThan(clients / 2)
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
