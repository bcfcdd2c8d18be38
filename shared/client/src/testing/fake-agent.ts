// An agent for tests, on a real socket: it serves a card and leaves every answer, or the lack of one, to the test.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  A2AError,
  type AgentCard,
  type ErrorName,
  type Message,
  type StreamResponse,
} from '@a2a-kit/task-core/protocol'
import { onTestFinished } from 'vitest'

export type Binding = 'JSONRPC' | 'HTTP+JSON'
export const bothBindings: Binding[] = ['JSONRPC', 'HTTP+JSON']

/** One request as it came, and the ways to answer it. */
export interface Exchange {
  /** The operation, whatever the binding. */
  method: string
  verb: string
  url: string
  headers: IncomingHttpHeaders
  body: Record<string, unknown> | undefined
  /** The request of the operation: `params`, or the body. */
  params: { id?: string; message?: Message; [field: string]: unknown }
  response: ServerResponse
  result(value: unknown): void
  error(name: ErrorName, message?: string, http?: { headers?: Record<string, string> }): void
  reply(status: number, mediaType: string, text: string, headers?: Record<string, string>): void
  /** Drops the connection (RST). */
  reset(): void
  stream(): FakeStream
}

export interface FakeStream {
  frame(event: StreamResponse, id?: string | number): FakeStream
  error(name: ErrorName, message?: string): FakeStream
  raw(bytes: string | Uint8Array): FakeStream
  end(): void
  reset(): void
  /** Resolves when the client has left. */
  closed: Promise<void>
}

export interface FakeAgent {
  url: string
  exchanges: Exchange[]
  /** The methods asked for so far, in order. */
  methods(): string[]
  close(): Promise<void>
}

export interface FakeOptions {
  binding?: Binding
  card?: Partial<AgentCard>
  tenant?: string
  /** A port that is free, for an agent that comes back at its old address. */
  port?: number
}

/** Starts an agent that is stopped when the test ends. `answer` is called for each request but that for the card. */
export async function fakeAgent(
  answer: (exchange: Exchange) => unknown,
  { binding = 'JSONRPC', card = {}, tenant, port = 0 }: FakeOptions = {},
): Promise<FakeAgent> {
  const exchanges: Exchange[] = []
  const server = createServer(async (request, response) => {
    const text = (await request.toArray()).join('')
    const { url = '', method: verb = '', headers } = request
    if (url.endsWith('/agent-card.json')) {
      response.setHeader('Content-Type', 'application/json')
      response.end(JSON.stringify(fakeCard(origin(), { binding, card, tenant })))
      return
    }
    const body = text === '' ? undefined : JSON.parse(text)
    const exchange = exchangeOf({ verb, url, headers, body, response, binding })
    exchanges.push(exchange)
    await answer(exchange)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    server.closeAllConnections()
    await closed
  }
  onTestFinished(async () => {
    if (server.listening) await close()
  })
  return { url: origin(), exchanges, methods: () => exchanges.map(({ method }) => method), close }
}

function fakeCard(
  origin: string,
  { binding, card, tenant }: { binding: Binding; card: Partial<AgentCard>; tenant: string | undefined },
): AgentCard {
  const spoken = { url: `${origin}/a2a`, protocolBinding: binding, protocolVersion: '1.0' }
  return {
    name: 'fake',
    description: 'An agent for tests.',
    version: '1.0.0',
    supportedInterfaces: [tenant === undefined ? spoken : { ...spoken, tenant }],
    capabilities: { streaming: true },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
    ...card,
  }
}

const operations: [RegExp, string][] = [
  [/^POST .*\/message:send$/, 'SendMessage'],
  [/^POST .*\/message:stream$/, 'SendStreamingMessage'],
  [/^POST .*\/tasks\/[^/]+:cancel$/, 'CancelTask'],
  [/^POST .*\/tasks\/[^/]+:subscribe$/, 'SubscribeToTask'],
  [/^POST .*\/pushNotificationConfigs$/, 'CreateTaskPushNotificationConfig'],
  [/^GET .*\/pushNotificationConfigs\/[^/]+$/, 'GetTaskPushNotificationConfig'],
  [/^GET .*\/pushNotificationConfigs(\?.*)?$/, 'ListTaskPushNotificationConfigs'],
  [/^DELETE .*\/pushNotificationConfigs\/[^/]+$/, 'DeleteTaskPushNotificationConfig'],
  [/^GET .*\/tasks\/[^/]+$/, 'GetTask'],
  [/^GET .*\/tasks(\?.*)?$/, 'ListTasks'],
]

function exchangeOf({
  verb,
  url,
  headers,
  body,
  response,
  binding,
}: Pick<Exchange, 'verb' | 'url' | 'headers' | 'body' | 'response'> & { binding: Binding }): Exchange {
  const rpc = binding === 'JSONRPC'
  const envelope = (inner: object) => (rpc ? { jsonrpc: '2.0', id: body?.id, ...inner } : inner)
  const failure = (name: ErrorName, message = `The fake agent says ${name}.`) => {
    const error = new A2AError(name, message)
    const { code, http, grpc } = error.row
    return rpc
      ? envelope({ error: { code, message, data: error.details() } })
      : { error: { code: http, status: grpc, message, details: error.details() } }
  }
  const reply: Exchange['reply'] = (status, mediaType, text, more = {}) => {
    response.writeHead(status, { 'Content-Type': mediaType, ...more })
    response.end(text)
  }
  return {
    method: rpc
      ? String(body?.method)
      : (operations.find(([form]) => form.test(`${verb} ${url}`))?.[1] ?? 'none'),
    verb,
    url,
    headers,
    body,
    params: ((rpc ? body?.params : body) ?? {}) as Exchange['params'],
    response,
    reply,
    result: (result) => reply(200, 'application/json', JSON.stringify(rpc ? envelope({ result }) : result)),
    error(name, message, { headers: more } = {}) {
      const { http } = new A2AError(name, '').row
      const status = rpc && http !== 503 ? 200 : http
      reply(status, 'application/json', JSON.stringify(failure(name, message)), more)
    },
    reset: () => response.socket?.resetAndDestroy(),
    stream() {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' })
      response.flushHeaders()
      const frameOf = (data: unknown, id?: string | number) =>
        `${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`
      const stream: FakeStream = {
        closed: new Promise((resolve) => response.once('close', resolve)),
        frame: (result, id) => stream.raw(frameOf(rpc ? envelope({ result }) : result, id)),
        error: (name, message) => stream.raw(frameOf(failure(name, message))),
        raw(bytes) {
          response.write(bytes)
          return stream
        },
        end: () => response.end(),
        // What was written must be on its way first, or the reset would overtake it.
        reset: () => response.write('', () => setImmediate(() => response.socket?.resetAndDestroy())),
      }
      return stream
    },
  }
}
