// The clients of a round: patient ones whose connections can be cut, and rude ones that stall, vanish and drip bytes.
import { connect as connectSocket, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { type AgentClient, connect } from '@a2a-kit/client'
import { A2AError } from '@a2a-kit/task-core/protocol'
import { buildConnector, Agent as Connections } from 'undici'
import type { Agent } from './agent.ts'

export interface Callers {
  /** A client of the agent. Its connections go to the agent itself, not over the wire with faults. */
  client(agent: Agent, binding: string): Promise<AgentClient>
  /** A plain POST to an address that an agent gave. Rejects if there is no answer. */
  post(url: string, body?: object): Promise<{ status: number; text: string }>
  /** Resets all connections that are open. @returns how many */
  vanish(): number
  close(): Promise<void>
}

const retry = { attempts: 10_000, totalMs: 60_000, firstMs: 20, longestMs: 200 }
const limits = { replyMs: 3000, blockingMs: 8000, idleMs: 3000 }

/** `signal` ends what they wait for. */
export function openCallers(agents: readonly Agent[], signal: AbortSignal): Callers {
  const open = new Set<Socket>()
  const connector = buildConnector({})
  const ports = new Map(agents.map(({ wirePort, port }) => [String(wirePort), String(port)]))
  const dispatcher = new Connections({
    headersTimeout: 0,
    bodyTimeout: 0,
    connect(options, done) {
      connector({ ...options, port: ports.get(options.port) ?? options.port }, (...made) => {
        const [, socket] = made
        if (socket) {
          open.add(socket)
          socket.on('close', () => open.delete(socket))
        }
        done(...made)
      })
    },
  })
  return {
    client: (agent, binding) =>
      insist(signal, () => connect(agent.url, { bindings: [binding], dispatcher, retry, limits, signal })),
    async post(url, body) {
      const { origin, pathname, search } = new URL(url)
      const path = pathname + search
      const json = body && { 'Content-Type': 'application/json', 'A2A-Version': '1.0' }
      const sent = { body: body ? JSON.stringify(body) : null, headers: json ?? {} }
      const answer = await dispatcher.request({ origin, path, method: 'POST', ...sent, signal })
      return { status: answer.statusCode, text: await answer.body.text() }
    },
    vanish() {
      const count = open.size
      for (const socket of open) socket.resetAndDestroy()
      return count
    },
    close: () => dispatcher.destroy(),
  }
}

/** Tries again until it is done, but for an error that says that the request is wrong. */
export async function insist<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof A2AError && error.name !== 'InternalError' && error.name !== 'UnavailableError')
        throw error
      await pause(30, undefined, { signal })
    }
  }
}

export const rudeness = ['stall', 'vanish', 'drip'] as const
export type Rudeness = (typeof rudeness)[number]

/** Clients that do not behave, until `over` aborts: they ask for `taskId`, and never read, leave at once, or write byte by byte. */
export function beRude(agent: Agent, how: Rudeness, taskId: string, over: AbortSignal): void {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SubscribeToTask', params: { id: taskId } })
  const head = [
    'POST /a2a HTTP/1.1',
    'Host: 127.0.0.1',
    'A2A-Version: 1.0',
    'A2A-Extensions: urn:a2a-kit:replay:1',
    'Last-Event-ID: 1',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ]
  const text = `${head.join('\r\n')}\r\n\r\n${body}`
  const socket = connectSocket(agent.port, '127.0.0.1')
  socket.on('error', () => {})
  over.addEventListener('abort', () => socket.resetAndDestroy(), { once: true })
  socket.once('connect', async () => {
    if (how === 'stall') socket.pause().write(text)
    if (how === 'vanish') socket.write(text, () => setTimeout(() => socket.resetAndDestroy(), 5))
    if (how !== 'drip') return
    for (const character of text) {
      if (socket.destroyed) return
      socket.write(character)
      await pause(3)
    }
  })
}
