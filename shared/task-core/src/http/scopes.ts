// The scope of each HTTP request: its trace, and the binding that it came by.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readTraceparent, type Scope, type Telemetry, within } from '../telemetry/index.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Does `work` in the scope of this request. */
    inScope<T>(work: () => T): T
    scope: Scope | undefined
  }
}

/** Has every handler run in its request's scope. `bindingOf` says what the request came by. */
export function scopeRequests(
  app: FastifyInstance,
  telemetry: Telemetry,
  bindingOf: (request: FastifyRequest) => string,
): void {
  app.decorateRequest('scope')
  app.decorateRequest('inScope', function inScope<T>(this: FastifyRequest, work: () => T): T {
    this.scope ??= {
      telemetry,
      binding: bindingOf(this),
      trace: readTraceparent([this.headers.traceparent].flat()[0]),
    }
    return within(this.scope, work)
  })
  // Not earlier: while a body is read, what runs belongs to the connection.
  app.addHook('preHandler', (request, _reply, done) => request.inScope(done))
}
