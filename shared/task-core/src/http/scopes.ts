// The scope of each HTTP request: its trace, and the binding that it came by.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readTraceparent, type Scope, type Telemetry, within } from '../telemetry/index.ts'

declare module 'fastify' {
  interface FastifyRequest {
    scope: Scope | undefined
  }
}

/** Does `work` in the scope of the request. */
export type InScope = <T>(request: FastifyRequest, work: () => T) => T

/** `bindingOf` says what a request came by. */
export const requestScopes =
  (telemetry: Telemetry, bindingOf: (request: FastifyRequest) => string): InScope =>
  (request, work) => {
    request.scope ??= {
      telemetry,
      binding: bindingOf(request),
      trace: readTraceparent([request.headers.traceparent].flat()[0]),
    }
    return within(request.scope, work)
  }

/** Has every hook and handler run in its request's scope. */
export function scopeHandlers(app: FastifyInstance, inScope: InScope): void {
  app.decorateRequest('scope')
  const enter = (request: FastifyRequest, _reply: unknown, done: () => void) => inScope(request, done)
  app.addHook('onRequest', enter)
  // Once more: while a body is read, what runs belongs to the connection.
  app.addHook('preHandler', enter)
}
