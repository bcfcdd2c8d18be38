// One Fastify server for an agent: the card, both JSON bindings, the operator's routes, health.
import { isUtf8 } from 'node:buffer'
import { fastifySSE } from '@fastify/sse'
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Logger } from 'pino'
import type { PublishedCards } from '../cards/publish.ts'
import type { Admit, OperationContext, Operations } from '../operations/index.ts'
import { A2AError } from '../protocol/index.ts'
import type { Tls } from '../tls.ts'
import { cardRoutes } from './cards.ts'
import { allowOrigins } from './cors.ts'
import { answerBrokenHttp } from './errors.ts'
import { healthRoutes, type Readiness } from './health.ts'
import { createHeart } from './heart.ts'
import { checkHost, type PermitsHost } from './hosts.ts'
import { httpJson03Routes, httpJsonRoutes } from './http-json.ts'
import { jsonRpcRoutes, sendJsonRpcError } from './jsonrpc.ts'
import { metricsRoute } from './metrics.ts'
import type { OperatorOptions } from './operators/options.ts'
import { operatorRoutes } from './operators/routes.ts'
import { policyRoute } from './policy.ts'
import { sendHttpJsonError } from './routes.ts'
import { requestScopes, scopeHandlers } from './scopes.ts'
import { trackCalls } from './streams.ts'

const alwaysReady: Readiness = { missing: async () => [] }

/** Node.js takes no longer one, so every id gets to its operation, which says that it is unknown. */
const longestUrl = 16 * 1024

export interface ServerOptions {
  context: OperationContext
  operations: Operations
  admit: Admit
  cards: Promise<PublishedCards>
  log: Logger
  operators: OperatorOptions
  /** The address that others use, which is known once it listens. */
  publicUrl: () => string
  permitsHost: PermitsHost
  /** Whether only this machine reaches it: then nothing is answered under another host name. */
  isLocal: boolean
  /** Without, it speaks plain HTTP. */
  tls: Tls | undefined
  /** By default it is always ready. */
  readiness?: Readiness
  /** What who reads the metrics has to send; without it there are none to read. */
  metricsToken?: string | undefined
}

export async function createServer({
  context,
  operations,
  admit,
  cards,
  log,
  readiness = alwaysReady,
  metricsToken,
  ...at
}: ServerOptions): Promise<FastifyInstance> {
  const { settings, telemetry } = context.core
  const inScope = requestScopes(telemetry, bindingOf)
  const answer = (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
    inScope(request, () => answerError(error, request, reply))
  const app = fastify({
    loggerInstance: log as FastifyBaseLogger,
    ...transport(settings.requestTimeout, at.tls),
    bodyLimit: settings.maxBody,
    forceCloseConnections: 'idle',
    rewriteUrl: ({ url = '' }) => url.replace(/^https?:\/\/[^/?]*/i, ''), // a whole address, as proxies are sent it (RFC 9112 §3.2.2)
    requestTimeout: settings.requestTimeout, // to arrive; how long the answer takes is not bounded, since a call may wait for its task
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: longestUrl },
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (logger) => logger, // what a line belongs to is said by its trace
    frameworkErrors: answer,
    clientErrorHandler: answerBrokenHttp,
  })
  // Before the routes: each takes the handlers that are set when it is made.
  scopeHandlers(app, inScope)
  app.setErrorHandler(answer)
  app.setNotFoundHandler((request, reply) => inScope(request, () => answerNotFound(request, reply)))
  readBodiesAsText(app)
  if (at.isLocal) {
    app.addHook('onRequest', (request, _reply, done) => {
      checkHost(request, at.permitsHost)
      done()
    })
  }
  trackCalls(app)
  requireHost(app)
  // Any other expectation than 100-continue counts as none: Node.js would answer 417 without a body.
  app.server.on('checkExpectation', (...exchange) => app.server.emit('request', ...exchange))
  await allowOrigins(app, settings.corsOrigins)
  await app.register(fastifySSE)

  const bindings = { operations, admit, heart: createHeart(settings.heartbeat) }
  jsonRpcRoutes(app, bindings)
  httpJsonRoutes(app, bindings)
  httpJson03Routes(app, bindings)
  for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
    app.route({ method, url: '/a2a', handler: async (request, reply) => notAllowed(request, reply) })
  }

  cardRoutes(app, context.card, cards)
  policyRoute(app, context.card.name, settings)
  healthRoutes(app, context.card.name, readiness)
  if (telemetry.metrics && metricsToken) metricsRoute(app, telemetry.metrics, metricsToken)
  await app.register((part) => operatorRoutes(part, { context, ...at }))
  return app
}

/** How Node.js is to listen, for HTTP or HTTPS. */
function transport(requestTimeout: number, tls: Tls | undefined): object {
  const options = {
    requireHostHeader: false, // Node.js answers without a body: see requireHost
    headersTimeout: Math.min(60_000, requestTimeout), // if it is the longer one, Node.js takes it for both
    connectionsCheckingInterval: Math.min(30_000, requestTimeout),
  }
  return tls ? { https: { ...tls, ...options } } : { http: options }
}

/** Bodies stay text until the binding reads them, so that a bad one is answered in the binding's own shape. */
function readBodiesAsText(app: FastifyInstance): void {
  // What Go's http.Post sends where it is given no type.
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    if (headers['content-type'] === '') delete headers['content-type']
    done()
  })
  app.removeAllContentTypeParsers()
  const types = ['application/json', 'application/a2a+json']
  app.addContentTypeParser(types, { parseAs: 'buffer' }, (_request, body: Buffer, done) => {
    if (isUtf8(body)) done(null, body.toString())
    else done(new A2AError('ParseError', 'The body is not UTF-8.'))
  })
}

/** HTTP/1.1 wants a request to name its host, and once: of two, a proxy may have looked at the other (RFC 9112 §3.2). */
function requireHost(app: FastifyInstance): void {
  app.addHook('onRequest', ({ headers, raw }, _reply, done) => {
    if (headers.host === undefined && raw.httpVersion === '1.1')
      throw new A2AError('InvalidRequestError', 'The request has no Host header: send one.')
    if (namesHostTwice(raw.rawHeaders))
      throw new A2AError('InvalidRequestError', 'The request has several Host headers: send one.')
    done()
  })
}

/** `headers` are names, each followed by its value. */
function namesHostTwice(headers: readonly string[]): boolean {
  let hosts = 0
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at]!
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts > 1
}

/** By its address, or else by its route, which is dear to ask for, however the address was written. */
const isJsonRpc = (request: FastifyRequest): boolean =>
  /^\/a2a\/?([?#]|$)/.test(request.url) || request.routeOptions?.url === '/a2a'

const bindingOf = (request: FastifyRequest): string => {
  if (isJsonRpc(request)) return 'JSONRPC'
  return request.url.startsWith('/a2a/') ? 'HTTP+JSON' : 'none'
}

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (isJsonRpc(request)) sendJsonRpcError(request, reply, null, error)
  else sendHttpJsonError(request, reply, error)
  return reply
}

function answerNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (isJsonRpc(request)) return notAllowed(request, reply) // a method that no route has
  const known =
    'The card is at /.well-known/agent-card.json, JSON-RPC at POST /a2a, HTTP+JSON below /a2a, its description at /openapi.json, what waits for operators at /approve.'
  const asked = `${request.method} ${request.url.slice(0, 100)}`
  sendHttpJsonError(request, reply, new A2AError('MethodNotFoundError', `There is no ${asked}. ${known}`))
  return reply
}

function notAllowed(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.header('Allow', 'POST')
  const why = `${request.method} is not allowed here: use POST.`
  return answerError(new A2AError('MethodNotAllowedError', why), request, reply)
}
