// One Fastify server for an agent: the card, both JSON bindings, the operator's routes, health.
import { fastifySSE } from '@fastify/sse'
import fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Logger } from 'pino'
import type { Caller, OperationContext } from '../operations/index.ts'
import { createOperations } from '../operations/index.ts'
import { A2AError, replayExtension } from '../protocol/index.ts'
import { approvalRoutes } from './approvals.ts'
import { httpJsonRoutes, sendHttpJsonError } from './http-json.ts'
import { jsonRpcRoutes, sendJsonRpcError } from './jsonrpc.ts'
import { activeExtensions } from './service-parameters.ts'
import { trackCalls } from './streams.ts'

/** Until callers are told apart, every task belongs to this one. */
const onlyCaller: Caller = { id: 'anyone' }

export async function createServer(context: OperationContext, log: Logger): Promise<FastifyInstance> {
  const { settings } = context.core
  const app = fastify({
    loggerInstance: log as FastifyBaseLogger,
    bodyLimit: settings.maxBody,
    forceCloseConnections: 'idle',
    requestTimeout: 0, // a blocking call takes as long as its task
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 300 },
    logController: new LogController({ disableRequestLogging: true }),
  })
  readBodiesAsText(app)
  trackCalls(app)
  await app.register(fastifySSE)

  app.addHook('onRequest', async (request, reply) => {
    if (activeExtensions(request).includes(replayExtension)) reply.header('A2A-Extensions', replayExtension)
  })
  const bindings = {
    operations: createOperations(context),
    callerOf: () => onlyCaller,
    heartbeat: settings.heartbeat,
  }
  jsonRpcRoutes(app, bindings)
  httpJsonRoutes(app, bindings)
  for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
    app.route({ method, url: '/a2a', handler: async (request, reply) => notAllowed(request, reply) })
  }

  app.get('/.well-known/agent-card.json', async (_request, reply) => {
    reply.header('cache-control', 'max-age=60')
    return context.card
  })
  app.get('/health', async () => ({ status: 'ok', agent: context.card.name }))
  await app.register((operator) => approvalRoutes(operator, context))

  app.setNotFoundHandler(async (request, reply) => {
    const known = 'The card is at /.well-known/agent-card.json, JSON-RPC at POST /a2a, HTTP+JSON below /a2a.'
    const error = new A2AError(
      'MethodNotFoundError',
      `There is no ${request.method} ${request.url.slice(0, 100)}. ${known}`,
    )
    sendHttpJsonError(request, reply, error)
    return reply
  })
  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    if (isJsonRpc(request)) sendJsonRpcError(request, reply, null, error)
    else sendHttpJsonError(request, reply, error)
    return reply
  })
  return app
}

/** Bodies stay text until the binding reads them, so that a bad one is answered in the binding's own shape. */
function readBodiesAsText(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  const types = ['application/json', 'application/a2a+json']
  app.addContentTypeParser(types, { parseAs: 'string' }, (_request, body, done) => done(null, body))
}

const isJsonRpc = ({ url }: FastifyRequest): boolean => /^\/a2a\/?(\?|$)/.test(url)

function notAllowed(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = new A2AError('MethodNotAllowedError', `${request.method} is not allowed here: use POST.`)
  reply.header('Allow', 'POST')
  sendJsonRpcError(request, reply, null, error)
  return reply
}
