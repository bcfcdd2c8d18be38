// Routes of the HTTP+JSON binding: what a request says goes to its operation, and the answer or the error comes back in its version's shape.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Call, type Frames, logFailure, type Version } from '../operations/index.ts'
import { A2AError } from '../protocol/index.ts'
import { httpJsonError03 } from '../v03/index.ts'
import { errorHeaders, httpJsonError, toA2AError } from './errors.ts'
import type { Method } from './http-json-routes.ts'
import type { BindingOptions } from './jsonrpc.ts'
import { callOf } from './service-parameters.ts'
import { type Envelope, sendFrames } from './sse.ts'

export type Operate = (params: Record<string, unknown>, call: Call) => Promise<string | Frames>

const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Each version's own addresses. */
const prefixes = { '1.0': '/a2a', '0.3': '/a2a/v1' }

const envelopes: Record<Version, Envelope> = {
  '1.0': { wrap: (json) => json, failure: httpJsonError },
  '0.3': { wrap: (json) => json, failure: httpJsonError03, failureEvent: 'error' },
}

/** Makes routes for operations of `version`. */
export function routing(app: FastifyInstance, { admit, heart }: BindingOptions, version: Version) {
  return route

  function route(path: string, handlers: Partial<Record<Method, Operate>>, cacheControl?: string): void {
    const allowed = Object.keys(handlers).join(', ')
    for (const method of methods) {
      const operate = handlers[method]
      const sse = { kind: 'manual', heartbeat: false } as const
      app.route({
        method,
        url: `${prefixes[version]}${path}`,
        sse,
        // HEAD of a stream would hold the connection as long as the stream, and say nothing.
        exposeHeadRoute: !path.endsWith('::subscribe'),
        handler: operate
          ? (request, reply) => answer(request, reply, operate, cacheControl)
          : async (request, reply) => {
              reply.header('Allow', allowed)
              sendHttpJsonError(request, reply, notAllowed(method, allowed))
              return reply
            },
      })
    }
  }

  async function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    operate: Operate,
    cacheControl: string | undefined,
  ): Promise<unknown> {
    try {
      const call = await callOf(request, reply, admit, version)
      const result = await operate(parametersOf(request), call)
      if (typeof result === 'string') {
        if (cacheControl) reply.header('cache-control', cacheControl)
        reply.header('content-type', replyType(request)).send(result)
        return reply
      }
      return sendFrames(request, reply, { frames: result, envelope: envelopes[version], heart })
    } catch (error) {
      sendHttpJsonError(request, reply, error)
      return reply
    }
  }
}

const notAllowed = (method: string, allowed: string): A2AError =>
  new A2AError('MethodNotAllowedError', `${method} is not allowed here: use ${allowed}.`)

/** Answers with an error; for errors of the framework too. */
export function sendHttpJsonError(request: FastifyRequest, reply: FastifyReply, cause: unknown): void {
  const error = toA2AError(cause)
  logFailure(request.log, error, cause)
  errorHeaders(reply, error)
  reply.code(error.row.http).header('content-type', replyType(request)).send(errorBodyFor(request)(error))
}

const isOf03 = ({ url }: FastifyRequest): boolean => /^\/a2a\/v1([/?]|$)/.test(url)

const errorBodyFor = (request: FastifyRequest) => (isOf03(request) ? httpJsonError03 : httpJsonError)

/** a2a+json if Accept names it, or names no JSON type and the request came as a2a+json; application/json otherwise, and in 0.3. */
function replyType(request: FastifyRequest): string {
  const { headers } = request
  if (isOf03(request)) return 'application/json'
  const accept = headers.accept?.toLowerCase() ?? ''
  if (accept.includes('application/a2a+json')) return 'application/a2a+json'
  const sentAsA2A = headers['content-type']?.toLowerCase().startsWith('application/a2a+json')
  return sentAsA2A && !accept.includes('application/json') ? 'application/a2a+json' : 'application/json'
}

/** What the request says, from its body or its query; what the path says wins. */
function parametersOf(request: FastifyRequest): Record<string, unknown> {
  const given =
    request.method === 'POST' ? readBody(request.body) : readQuery(request.query as Record<string, unknown>)
  return { ...given, ...(request.params as Record<string, string>) }
}

function readBody(text: unknown): Record<string, unknown> {
  if (typeof text !== 'string' || text === '') return {}
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw new A2AError('ParseError', 'The body is not JSON.')
  }
  if (body === null) return {}
  if (typeof body === 'object' && !Array.isArray(body)) return body as Record<string, unknown>
  throw new A2AError('InvalidParamsError', 'Invalid parameters: the body must be an object.')
}

const booleans = new Set(['includeArtifacts', 'include_artifacts'])

/** Query values are strings; booleans are `true` and `false` (§11.5). */
const readQuery = (query: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]) => {
      const isBoolean = booleans.has(name) && (value === 'true' || value === 'false')
      return [name, isBoolean ? value === 'true' : value]
    }),
  )
