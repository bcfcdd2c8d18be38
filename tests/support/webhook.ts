// A receiver of push notifications that a test tells what to answer: statuses in order, silence, slowness, redirects, cut connections.
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { replayExtension, type StreamResponse } from '@a2a-kit/task-core/protocol'
import { onTestFinished } from 'vitest'
import type { Probe } from './probe.ts'
import { allFrames } from './sse.ts'
import { until } from './wait.ts'

export interface Received {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: StreamResponse
  /** Whether it was acknowledged. */
  taken: boolean
  /** Whether it is still to be answered. */
  open: boolean
}

/** What a receiver does with a request: a status with headers, or something that is no answer, or not yet. */
export type Behaviour =
  | number
  | { status: number; headers: Record<string, string> }
  | 'hang'
  | 'drop'
  | { slow: number }
  | { held: Promise<unknown> }
  | 'endless body'

export interface Webhook {
  url: string
  /** All requests that came whole, in order. */
  received: Received[]
  /** What becomes of the next requests, in order; later ones get `then`. */
  answers(next: Behaviour[], then?: Behaviour): void
  /** The events of the requests that were acknowledged, in order, without repeats of the one before. */
  events(): StreamResponse[]
  /** Those events, of the task `id` if one is named, once the last of them enters `state`. */
  until(state: string, id?: string): Promise<StreamResponse[]>
  /** Resolves when so many requests have come. */
  count(requests: number): Promise<Received[]>
  close(): Promise<void>
}

/** Starts a receiver on 127.0.0.1, by default on a free port; it takes everything until it is told otherwise. */
export async function startWebhook(port = 0): Promise<Webhook> {
  const received: Received[] = []
  let next: Behaviour[] = []
  let then: Behaviour = 200

  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (some: string) => {
      text += some
    })
    request.on('error', () => {})
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const one = { method, path: url, headers, body: JSON.parse(text), taken: false, open: true }
      received.push(one)
      response.on('close', () => {
        one.open = false
      })
      void answer(response, one, next.shift() ?? then)
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  onTestFinished(close)

  async function answer(response: ServerResponse, one: Received, behaviour: Behaviour): Promise<void> {
    if (behaviour === 'hang') return
    if (behaviour === 'drop') return void response.destroy()
    if (behaviour === 'endless body') {
      one.taken = true
      response.writeHead(200).write('x')
      return
    }
    if (typeof behaviour === 'object' && 'slow' in behaviour) {
      setTimeout(() => answer(response, one, 200), behaviour.slow)
      return
    }
    if (typeof behaviour === 'object' && 'held' in behaviour) {
      await behaviour.held
      return answer(response, one, 200)
    }
    const { status, headers } = typeof behaviour === 'number' ? { status: behaviour, headers: {} } : behaviour
    if (response.destroyed) return
    one.taken = status < 300
    response.writeHead(status, headers).end('noted')
  }

  const events = () =>
    received
      .filter(({ taken }) => taken)
      .map(({ body }) => body)
      .filter((body, index, all) => JSON.stringify(body) !== JSON.stringify(all[index - 1]))
  const address = server.address()
  const listening = typeof address === 'object' && address ? address.port : port
  return {
    url: `http://127.0.0.1:${listening}/hook?for=me`,
    received,
    answers(some, later = 200) {
      next = some
      then = later
    },
    events,
    until: (state, id) =>
      until(`a push notification of ${state}`, () => {
        const all = events().filter((event) => id === undefined || taskOf(event) === id)
        return stateOf(all.at(-1)) === `TASK_STATE_${state}` && all
      }),
    count: (requests) =>
      until(`${requests} requests at the webhook`, () => received.length >= requests && received),
    close,
  }
}

const taskOf = ({ task, statusUpdate, artifactUpdate }: StreamResponse) =>
  task?.id ?? (statusUpdate ?? artifactUpdate)?.taskId

/** The state that an event enters. */
export const stateOf = (event: StreamResponse | undefined): string | undefined =>
  (event?.statusUpdate ?? event?.task)?.status.state

/** All events of a task that has ended, as the log has them. */
export async function logOf({ stream }: Pick<Probe, 'stream'>, id: string): Promise<StreamResponse[]> {
  const headers = { 'A2A-Extensions': replayExtension, 'Last-Event-ID': '1' }
  const frames = await allFrames(await stream('JSONRPC', 'SubscribeToTask', { id }, headers))
  return frames.map(({ id: _, ...event }) => event)
}

/** Settings for an agent that may call receivers on this machine, and tries again at once. */
export const local = { pushAllowedHosts: ['127.0.0.0/8'], pushFirstDelay: 1, pushLongestDelay: 20 }

/** The configuration of a message whose task's events go to `webhook`. */
export const pushTo = ({ url }: Pick<Webhook, 'url'>, more: object = {}) => ({
  taskPushNotificationConfig: { url, ...more },
})
