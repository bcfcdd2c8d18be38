// Records the HTTP exchanges that pass through it, on real sockets, and leads documented addresses to where the servers really listen.
import type { IncomingHttpHeaders } from 'node:http'
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { Agent, buildConnector, DecoratorHandler, type Dispatcher } from 'undici'

export interface RawFrame {
  id: string | undefined
  data: string
}

/** An exchange as it is on the wire, while it goes on and after. */
export interface RawExchange {
  n: number
  from: string
  method: string
  /** As the client wrote it, with the documented port. */
  url: string
  requestHeaders: [string, string][]
  requestBody: string
  /** For each stream that was open when it began: how many frames had come. */
  sightings: Map<number, number>
  status: number
  reason: string
  headers: [string, string][]
  body: string
  /** Undefined if the answer is no stream. */
  frames: RawFrame[] | undefined
  /** How many exchanges had begun when it ended; undefined while it goes on. */
  endedAt: number | undefined
  cut: boolean
}

export interface Recorder {
  readonly exchanges: readonly RawExchange[]
  /** Records what goes through as sent by `from`; with `from` undefined it records nothing, and only leads the way. */
  dispatcher(from: string | undefined): Dispatcher
  /** Leads connections to `localhost:<documented>` to `port` from now on; to nothing else is there a way. */
  lead(documented: number, port: number): void
  /** Adds an exchange that came in from elsewhere, such as a push notification. */
  add(exchange: Omit<RawExchange, 'n' | 'sightings' | 'endedAt'>): RawExchange
  /** Resolves once `check` holds; looked at whenever an exchange begins and something arrives. */
  until(check: () => boolean): Promise<void>
  close(): Promise<void>
}

export function createRecorder(): Recorder {
  const exchanges: RawExchange[] = []
  const ways = new Map<string, number>()
  const connect = buildConnector({})
  const connections = new Agent({
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: (options, callback) => {
      const port = ways.get(options.port)
      // Something else may listen there: the kit itself, perhaps, at the documented ports.
      if (port === undefined) callback(new Error(`${options.host} is no agent of this capture.`), null)
      else connect({ ...options, hostname: '127.0.0.1', port: String(port) }, callback)
    },
  })
  let changed = Promise.withResolvers<void>()

  function tellChange(): void {
    changed.resolve()
    changed = Promise.withResolvers()
  }

  function begin(exchange: Omit<RawExchange, 'n' | 'sightings' | 'endedAt'>): RawExchange {
    const streams = exchanges.filter(({ frames, endedAt }) => frames && endedAt === undefined)
    const sightings = new Map(streams.map(({ n, frames }) => [n, frames!.length]))
    const begun = { ...exchange, n: exchanges.length + 1, sightings, endedAt: undefined }
    exchanges.push(begun)
    tellChange()
    return begun
  }

  function end(exchange: RawExchange): void {
    exchange.endedAt = exchanges.length
    tellChange()
  }

  const recording =
    (from: string) =>
    (dispatch: Dispatcher['dispatch']): Dispatcher['dispatch'] =>
    (options, handler) => {
      const exchange = begin({
        from,
        method: options.method,
        url: `${options.origin}${options.path}`,
        requestHeaders: pairs(options.headers),
        requestBody: typeof options.body === 'string' ? options.body : '',
        status: 0,
        reason: '',
        headers: [],
        body: '',
        frames: undefined,
        cut: false,
      })
      return dispatch(
        options,
        new Recording(handler, exchange, { changed: tellChange, ended: () => end(exchange) }),
      )
    }

  return {
    exchanges,
    dispatcher: (from) => (from === undefined ? connections : connections.compose(recording(from))),
    lead: (documented, port) => void ways.set(String(documented), port),
    add(exchange) {
      const added = begin(exchange)
      end(added)
      return added
    },
    async until(check) {
      while (!check()) await changed.promise
    },
    close: () => connections.destroy(),
  }
}

type Controller = Dispatcher.DispatchController
interface Handler {
  onResponseStart(controller: Controller, status: number, headers: IncomingHttpHeaders, reason?: string): void
  onResponseData(controller: Controller, chunk: Buffer): void
  onResponseEnd(controller: Controller, trailers: IncomingHttpHeaders): void
  onResponseError(controller: Controller, error: Error): void
}
// The library's types have its handlers of an earlier version.
const Passing = DecoratorHandler as unknown as new (handler: Dispatcher.DispatchHandler) => Handler

/** Passes an answer on, and notes it. */
class Recording extends Passing {
  readonly #exchange: RawExchange
  readonly #tell: { changed(): void; ended(): void }
  readonly #decoder = new TextDecoder()
  readonly #parser = createParser({
    onEvent: ({ id, data }: EventSourceMessage) => void this.#exchange.frames?.push({ id, data }),
  })

  constructor(
    handler: Dispatcher.DispatchHandler,
    exchange: RawExchange,
    tell: { changed(): void; ended(): void },
  ) {
    super(handler)
    this.#exchange = exchange
    this.#tell = tell
  }

  override onResponseStart(...all: Parameters<Handler['onResponseStart']>): void {
    const [, status, headers, reason = ''] = all
    if (status >= 200) {
      Object.assign(this.#exchange, { status, reason, headers: pairs(headers) })
      if (String(headers['content-type']).startsWith('text/event-stream')) this.#exchange.frames = []
    }
    super.onResponseStart(...all)
  }

  override onResponseData(...all: Parameters<Handler['onResponseData']>): void {
    const text = this.#decoder.decode(all[1], { stream: true })
    if (this.#exchange.frames) this.#parser.feed(text)
    else this.#exchange.body += text
    this.#tell.changed()
    super.onResponseData(...all)
  }

  override onResponseEnd(...all: Parameters<Handler['onResponseEnd']>): void {
    this.#tell.ended()
    super.onResponseEnd(...all)
  }

  override onResponseError(...all: Parameters<Handler['onResponseError']>): void {
    this.#exchange.cut = true
    this.#tell.ended()
    super.onResponseError(...all)
  }
}

/** Header fields by name, in any of the forms that undici takes. */
export function pairs(
  headers: Dispatcher.DispatchOptions['headers'] | IncomingHttpHeaders,
): [string, string][] {
  if (!headers) return []
  if (Array.isArray(headers)) {
    return headers.flatMap((name, at) => (at % 2 === 0 ? [[String(name), String(headers[at + 1])]] : [])) as [
      string,
      string,
    ][]
  }
  const entries =
    Symbol.iterator in headers ? [...(headers as Iterable<[string, unknown]>)] : Object.entries(headers)
  return entries.map(([name, value]) => [name, String(value)])
}
