// A client of A2A 0.3, bare: JSON-RPC with slash-names, HTTP+JSON below /v1, and no A2A-Version.
import { createParser } from 'eventsource-parser'

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
type Body = any

export interface Answer03 {
  status: number
  headers: Headers
  body: Body
}

export interface Frame03 {
  id?: string
  event?: string
  data: Body
}

export interface Talker03 {
  rpc(method: string, params?: object, headers?: Record<string, string>): Promise<Answer03>
  rest(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<Answer03>
  /** The frames of a stream over JSON-RPC, until it ends. Rejects if the answer is no stream. */
  rpcStream(method: string, params: object, headers?: Record<string, string>): AsyncGenerator<Frame03>
  restStream(
    method: string,
    path: string,
    body?: object,
    headers?: Record<string, string>,
  ): AsyncGenerator<Frame03>
}

/** Talks to the agent at `base`, which ends in `/a2a`. */
export function talk03(base: string): Talker03 {
  const json = { 'Content-Type': 'application/json' }
  const post = (method: string, params: object | undefined, headers = {}) =>
    fetch(base, {
      method: 'POST',
      headers: { ...json, ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 7, method, ...(params && { params }) }),
    })
  const send = (method: string, path: string, body: object | undefined, headers = {}) =>
    fetch(`${base}/v1${path}`, {
      method,
      headers: { ...json, ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
  return {
    rpc: async (method, params, headers) => answerOf(await post(method, params, headers)),
    rest: async (method, path, body, headers) => answerOf(await send(method, path, body, headers)),
    async *rpcStream(method, params, headers) {
      yield* framesOf(await post(method, params, headers))
    },
    async *restStream(method, path, body, headers) {
      yield* framesOf(await send(method, path, body, headers))
    },
  }
}

async function answerOf(response: Response): Promise<Answer03> {
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) }
}

async function* framesOf(response: Response): AsyncGenerator<Frame03> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
    throw Object.assign(new Error('not a stream'), { answer: await answerOf(response) })
  }
  const ready: Frame03[] = []
  const parser = createParser({
    onEvent({ id, event, data }) {
      ready.push({ ...(id && { id }), ...(event && { event }), data: JSON.parse(data) })
    },
  })
  for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
    parser.feed(text)
    yield* ready.splice(0)
  }
}

let made = 0
const messageId = () => `message-03-${process.pid}-${++made}`

/** A message as JSON-RPC of 0.3 has it. */
export const jsonMessage = (text: string, more: object = {}) => ({
  kind: 'message',
  messageId: messageId(),
  role: 'user',
  parts: [{ kind: 'text', text }],
  ...more,
})

/** A message as the proto of 0.3 has it. */
export const protoMessage = (text: string, more: object = {}) => ({
  messageId: messageId(),
  role: 'ROLE_USER',
  content: [{ text }],
  ...more,
})

/** One binding of 0.3 by what one does with it: tasks and events as they stand in its JSON, whatever wraps them. */
export interface Binding03 {
  name: string
  /** The state as this binding writes it. */
  state(name: string): string
  send(text: string, more?: object, configuration?: object): Promise<Answer03 & { task: Body; message: Body }>
  stream(text: string, more?: object, configuration?: object): AsyncGenerator<Event03>
  subscribe(id: string, headers?: Record<string, string>): AsyncGenerator<Event03>
  get(id: string, historyLength?: number): Promise<Answer03 & { task: Body }>
  cancel(id: string): Promise<Answer03 & { task: Body }>
  /** The code of an answer that is an error. */
  code(answer: Answer03): number | undefined
}

/** What a frame holds: one of these. */
export interface Event03 {
  id?: string
  task?: Body
  message?: Body
  status?: Body
  artifact?: Body
  error?: Body
}

/** Over JSON-RPC. */
export function jsonRpc03({ rpc, rpcStream }: Talker03): Binding03 {
  const kinds: Record<string, keyof Event03> = {
    task: 'task',
    message: 'message',
    'status-update': 'status',
    'artifact-update': 'artifact',
  }
  const held = (result: Body): Event03 => (result ? { [kinds[result.kind]!]: result } : {})
  const with_ = (answer: Answer03) => ({ ...answer, ...held(answer.body.result) }) as Body
  async function* events(frames: AsyncGenerator<Frame03>): AsyncGenerator<Event03> {
    for await (const { id, data } of frames) {
      yield { ...(id && { id }), ...held(data.result), ...(data.error && { error: data.error }) }
    }
  }
  return {
    name: 'JSON-RPC',
    state: (name) => name.toLowerCase().replace('_', '-'),
    send: async (text, more, configuration) =>
      with_(
        await rpc('message/send', {
          message: jsonMessage(text, more),
          ...(configuration && { configuration }),
        }),
      ),
    stream: (text, more, configuration) =>
      events(
        rpcStream('message/stream', {
          message: jsonMessage(text, more),
          ...(configuration && { configuration }),
        }),
      ),
    subscribe: (id, headers) => events(rpcStream('tasks/resubscribe', { id }, headers)),
    get: async (id, historyLength) => with_(await rpc('tasks/get', { id, historyLength })),
    cancel: async (id) => with_(await rpc('tasks/cancel', { id })),
    code: ({ body }) => body.error?.code,
  }
}

/** Over HTTP+JSON. */
export function httpJson03({ rest, restStream }: Talker03): Binding03 {
  const held = ({ task, message, statusUpdate: status, artifactUpdate: artifact, code }: Body): Event03 =>
    JSON.parse(JSON.stringify({ task, message, status, artifact, error: code }))
  const with_ = (answer: Answer03) => ({ ...answer, ...held(answer.body) }) as Body
  const bare = (answer: Answer03) => ({ ...answer, task: answer.body })
  async function* events(frames: AsyncGenerator<Frame03>): AsyncGenerator<Event03> {
    for await (const { id, data } of frames) yield { ...(id && { id }), ...held(data) }
  }
  const body = (text: string, more?: object, configuration?: object) => ({
    message: protoMessage(text, more),
    ...(configuration && { configuration }),
  })
  return {
    name: 'HTTP+JSON',
    state: (name) => `TASK_STATE_${name === 'CANCELED' ? 'CANCELLED' : name}`,
    send: async (...said) => with_(await rest('POST', '/message:send', body(...said))),
    stream: (...said) => events(restStream('POST', '/message:stream', body(...said))),
    subscribe: (id, headers) => events(restStream('POST', `/tasks/${id}:subscribe`, undefined, headers)),
    get: async (id, historyLength) =>
      bare(
        await rest(
          'GET',
          `/tasks/${id}${historyLength === undefined ? '' : `?historyLength=${historyLength}`}`,
        ),
      ),
    cancel: async (id) => bare(await rest('POST', `/tasks/${id}:cancel`)),
    code: ({ body: { code } }) => code,
  }
}

export const bindings03: [name: string, make: (talker: Talker03) => Binding03][] = [
  ['JSON-RPC', jsonRpc03],
  ['HTTP+JSON', httpJson03],
]
