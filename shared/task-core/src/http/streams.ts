// The calls that are under way, so that a client that leaves frees them, and a server that stops ends them in time.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

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
  const open = new Map<AbortController, FastifyReply>()
  let stopping = false

  app.decorateRequest('left')
  app.addHook('onRequest', async (request: FastifyRequest, reply) => {
    const left = new AbortController()
    request.left = left
    open.set(left, reply)
    if (stopping) left.abort()
    reply.raw.once('close', () => {
      open.delete(left)
      left.abort()
    })
  })

  // Before the server waits for its connections: otherwise it would wait for streams without an end.
  app.addHook('preClose', async () => {
    stopping = true
    for (const left of open.keys()) left.abort()
    const deadline = setTimeout(() => {
      for (const { raw } of open.values()) raw.destroy()
    }, patience)
    deadline.unref()
  })
}
