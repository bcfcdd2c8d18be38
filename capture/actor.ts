// Somebody in a scenario who sends requests over HTTP, as a client would write them.
import type { Json } from '@a2a-kit/task-core'
import { type Dispatcher, request as send } from 'undici'
import { type AgentName, baseOf } from './kit.ts'
import type { RawExchange, Recorder } from './recorder.ts'

/** What the reader is told. */
export interface Heard {
  /** Before the request: who does what, and why. */
  tell: string
  /** After the answer: what is worth seeing in it. */
  notice?: string
}

export interface RequestOptions extends Heard {
  /** Further ones; undefined leaves out one that would be sent. */
  headers?: Record<string, string | undefined>
}

// biome-ignore lint/suspicious/noExplicitAny: a scenario reads whatever the agent answered
type Loose = any

export interface Reply {
  status: number
  headers: Record<string, string>
  /** The JSON, or the text where there is none. */
  body: Loose
}

export interface OpenStream {
  n: number
  /** Resolves with the frames, as parsed data, once there are `count` of them. */
  frames(count: number): Promise<Loose[]>
  /** Resolves with all frames once the agent has ended the stream. */
  end(): Promise<Loose[]>
  /** Loses the connection, after `count` frames. */
  cut(count: number): Promise<void>
}

export interface Actor {
  get(agent: AgentName, path: string, options: RequestOptions): Promise<Reply>
  post(agent: AgentName, path: string, body: Json | undefined, options: RequestOptions): Promise<Reply>
  delete(agent: AgentName, path: string, options: RequestOptions): Promise<Reply>
  /** A call of JSON-RPC; its id is the number of the exchange. */
  call(agent: AgentName, method: string, params: Json, options: RequestOptions): Promise<Reply>
  /** The same, answered by a stream. */
  stream(agent: AgentName, method: string, params: Json, options: RequestOptions): Promise<OpenStream>
  /** A stream over HTTP+JSON. */
  postStream(
    agent: AgentName,
    path: string,
    body: Json | undefined,
    options: RequestOptions,
  ): Promise<OpenStream>
}

export const version = { 'A2A-Version': '1.0' }
const asJson = { 'Content-Type': 'application/json' }

interface Sent {
  method: Dispatcher.HttpMethod
  agent: AgentName
  path: string
  headers: Record<string, string>
  body?: Json | undefined
}

/** `note` is told what the reader is told of the exchange that begins next. */
export function createActor(name: string, recorder: Recorder, note: (heard: Heard) => void): Actor {
  const dispatcher = recorder.dispatcher(name)

  async function open(
    { method, agent, path, headers, body }: Sent,
    { headers: more, ...heard }: RequestOptions,
  ) {
    const n = recorder.exchanges.length + 1
    note(heard)
    const leave = new AbortController()
    const response = await send(`${baseOf(agent)}${path}`, {
      method,
      headers: present({ ...headers, ...(body !== undefined && asJson), ...more }),
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: leave.signal,
      dispatcher,
    })
    return { exchange: recorder.exchanges[n - 1]!, response, leave }
  }

  async function answer(sent: Sent, options: RequestOptions): Promise<Reply> {
    const { exchange, response } = await open(sent, options)
    await response.body.dump({ limit: Number.MAX_SAFE_INTEGER })
    return {
      status: exchange.status,
      headers: Object.fromEntries(exchange.headers),
      body: parsed(exchange.body),
    }
  }

  async function stream(sent: Sent, options: RequestOptions): Promise<OpenStream> {
    const { exchange, response, leave } = await open(sent, options)
    const { frames } = exchange
    if (!frames)
      throw new Error(`Exchange ${exchange.n} is no stream: ${exchange.status} ${await response.body.text()}`)
    response.body.on('error', () => {}).resume()
    const all = () => frames.map(({ data }) => JSON.parse(data))
    const enough = (count: number) => recorder.until(() => frames.length >= count || ended(exchange))
    return {
      n: exchange.n,
      async frames(count) {
        await enough(count)
        if (frames.length < count)
          throw new Error(`Stream ${exchange.n} ended after ${frames.length} frames of ${count}.`)
        return all()
      },
      async end() {
        await recorder.until(() => ended(exchange))
        return all()
      },
      async cut(count) {
        await enough(count)
        leave.abort()
        await recorder.until(() => ended(exchange))
      },
    }
  }

  const rpc = (agent: AgentName, method: string, params: Json): Sent => ({
    method: 'POST',
    agent,
    path: '/a2a',
    headers: version,
    body: { jsonrpc: '2.0', id: recorder.exchanges.length + 1, method, params },
  })
  return {
    get: (agent, path, options) => answer({ method: 'GET', agent, path, headers: {} }, options),
    post: (agent, path, body, options) => answer({ method: 'POST', agent, path, headers: {}, body }, options),
    delete: (agent, path, options) => answer({ method: 'DELETE', agent, path, headers: {} }, options),
    call: (agent, method, params, options) => answer(rpc(agent, method, params), options),
    stream: (agent, method, params, options) => stream(rpc(agent, method, params), options),
    postStream: (agent, path, body, options) =>
      stream({ method: 'POST', agent, path, headers: { Accept: 'text/event-stream' }, body }, options),
  }
}

const present = (headers: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )

const ended = ({ endedAt }: RawExchange): boolean => endedAt !== undefined

function parsed(text: string): Loose {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
