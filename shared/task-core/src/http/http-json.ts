// The HTTP+JSON binding (§11): a route for each operation, ids in the path, parameters in the query or the body.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Frames, logFailure } from '../operations/index.ts'
import { A2AError } from '../protocol/index.ts'
import { errorHeaders, httpJsonError, toA2AError } from './errors.ts'
import type { BindingOptions } from './jsonrpc.ts'
import { callOf } from './service-parameters.ts'
import { sendFrames } from './sse.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Operate = (params: Record<string, unknown>, call: Parameters<Handle>[1]) => Promise<string | Frames>
type Handle = BindingOptions['operations']['unary']['SendMessage']

const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
/** A task id never has a colon: what follows one is the verb. */
const task = '/tasks/:id(^[^:]+)'
const configs = '/tasks/:taskId(^[^:]+)/pushNotificationConfigs'

export function httpJsonRoutes(app: FastifyInstance, { operations, admit, heartbeat }: BindingOptions): void {
  const { unary, streaming } = operations

  route('/message::send', { POST: unary.SendMessage })
  route('/message::stream', { POST: streaming.SendStreamingMessage })
  route('/tasks', { GET: unary.ListTasks })
  route(task, { GET: unary.GetTask })
  route(`${task}::cancel`, { POST: unary.CancelTask })
  // §5.3 says POST, the proto GET: both.
  route(`${task}::subscribe`, { POST: streaming.SubscribeToTask, GET: streaming.SubscribeToTask })
  route(configs, {
    POST: unary.CreateTaskPushNotificationConfig,
    GET: unary.ListTaskPushNotificationConfigs,
  })
  route(`${configs}/:id`, {
    GET: unary.GetTaskPushNotificationConfig,
    DELETE: unary.DeleteTaskPushNotificationConfig,
  })
  route('/extendedAgentCard', { GET: unary.GetExtendedAgentCard })

  function route(path: string, handlers: Partial<Record<Method, Operate>>): void {
    const allowed = Object.keys(handlers).join(', ')
    for (const method of methods) {
      const operate = handlers[method]
      const sse = { kind: 'manual', heartbeat: false, serializer: String } as const
      app.route({
        method,
        url: `/a2a${path}`,
        sse,
        // HEAD of a stream would hold the connection as long as the stream, and say nothing.
        exposeHeadRoute: operate !== streaming.SubscribeToTask,
        handler: operate
          ? (request, reply) => answer(request, reply, operate)
          : async (request, reply) => {
              reply.header('Allow', allowed)
              sendHttpJsonError(request, reply, notAllowed(method, allowed))
              return reply
            },
      })
    }
  }

  async function answer(request: FastifyRequest, reply: FastifyReply, operate: Operate): Promise<unknown> {
    try {
      const call = callOf(request, reply, admit)
      const result = await operate(parametersOf(request), call)
      if (typeof result === 'string') {
        reply.header('content-type', replyType(request)).send(result)
        return reply
      }
      const failure = (error: unknown) => httpJsonError(error as A2AError)
      await sendFrames(request, reply, result, {
        wrap: (json) => json,
        failure,
        heartbeat,
        left: request.left,
      })
      return undefined
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
  reply.code(error.row.http).header('content-type', replyType(request)).send(httpJsonError(error))
}

/** a2a+json if Accept names it, or names no JSON type and the request came as a2a+json; application/json otherwise. */
function replyType({ headers }: FastifyRequest): string {
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
