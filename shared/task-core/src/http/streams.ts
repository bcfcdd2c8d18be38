// The calls that are under way, so that a client that leaves frees them, and a server that stops ends them in time.
import type { FastifyInstance, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    /** Aborts when the client has left or the server stops. */
    left: AbortController
  }
}

/** How long a client that does not read may hold up a server that stops, in ms. */
const patience = 1000

/** Decorates each request with `left`. */
export function trackCalls(app: FastifyInstance): void {
  const open = new Set<AbortController>()
  let stopping = false
  let allEnded = () => {}

  app.decorateRequest('left')
  app.addHook('onRequest', async (request: FastifyRequest, reply) => {
    const left = new AbortController()
    request.left = left
    open.add(left)
    if (stopping) left.abort()
    reply.raw.once('close', () => {
      open.delete(left)
      if (!reply.raw.writableFinished) left.abort() // an abort that nobody needs is a fifth of a GetTask
      if (open.size === 0) allEnded()
    })
  })

  // The server itself would wait for streams without an end and for connections that never sent a request, and cut answers that are not
  // all sent yet.
  app.addHook('preClose', async () => {
    stopping = true
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    allEnded = resolve
    for (const left of open) left.abort()
    if (open.size > 0) {
      const late = setTimeout(resolve, patience)
      await ended
      clearTimeout(late)
    }
    app.server.closeAllConnections()
  })
}
