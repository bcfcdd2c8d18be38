// The calls that are under way, so that a client that leaves frees them, and a server that stops ends them in time.
import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    /** Aborts when the client has left or the server stops. */
    left: AbortController
  }
}

/** How long a client that does not read may hold up a server that stops, in ms. */
const patience = 1000

/** Is made for every request, and most are answered before anybody asks for a signal: it makes its controller then. */
class LazyAbortController implements AbortController {
  #aborted = false
  #controller: AbortController | undefined

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController()
      if (this.#aborted) this.#controller.abort()
    }
    return this.#controller.signal
  }

  abort(): void {
    this.#aborted = true
    this.#controller?.abort()
  }
}

/** Decorates each request with `left`. */
export function trackCalls(app: FastifyInstance): void {
  const open = new Map<ServerResponse, AbortController>()
  let stopping = false
  let allEnded = () => {}

  app.decorateRequest('left')
  function closed(this: ServerResponse): void {
    const left = open.get(this)
    open.delete(this)
    if (!this.writableFinished) left?.abort()
    if (open.size === 0) allEnded()
  }

  app.addHook('onRequest', (request, { raw }, done) => {
    request.left = new LazyAbortController()
    open.set(raw, request.left)
    if (stopping) request.left.abort()
    raw.on('close', closed)
    done()
  })

  // The server itself would wait for streams without an end and for connections that never sent a request, and cut answers that are not
  // all sent yet.
  app.addHook('preClose', async () => {
    stopping = true
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    allEnded = resolve
    for (const left of open.values()) left.abort()
    if (open.size > 0) {
      const late = setTimeout(resolve, patience)
      await ended
      clearTimeout(late)
    }
    app.server.closeAllConnections()
  })
}
