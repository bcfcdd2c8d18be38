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
      trace: readTraceparent(request.headers.traceparent as string | undefined), // several are joined by Node.js
    }
    return within(request.scope, work)
  }

/** Has every later hook and every handler run in its request's scope: Fastify comes back to it when it has read the body. */
export function scopeHandlers(app: FastifyInstance, inScope: InScope): void {
  app.decorateRequest('scope')
  app.addHook('onRequest', (request, _reply, done) => inScope(request, done))
}
