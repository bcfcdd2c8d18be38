// The calls that are under way, so that a client that leaves frees them, and a server that stops ends them in time.
import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { Left } from '../operations/index.ts'
import { Register } from '../register.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Says when the client has left or the server stops. */
    left: Left
  }
}

/** How long a client that does not read may hold up a server that stops, in ms. */
const patience = 1000

/** Decorates each request with `left`. */
export function trackCalls(app: FastifyInstance): void {
  const open = new Register<ServerResponse, Left>()
  let stopping = false
  let allEnded = () => {}

  app.decorateRequest('left')
  function closed(this: ServerResponse): void {
    const left = open.get(this)
    open.delete(this)
    if (!this.writableFinished) left?.go()
    if (open.size === 0) allEnded()
  }

  app.addHook('onRequest', (request, { raw }, done) => {
    request.left = new Left()
    open.set(raw, request.left)
    if (stopping) request.left.go()
    raw.on('close', closed)
    done()
  })

  // The server itself would wait for streams without an end and for connections that never sent a request, and cut answers that are not
  // all sent yet.
  app.addHook('preClose', async () => {
    stopping = true
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    allEnded = resolve
    for (const left of open.values()) left.go()
    if (open.size > 0) {
      const late = setTimeout(resolve, patience)
      await ended
      clearTimeout(late)
    }
    app.server.closeAllConnections()
  })
}
