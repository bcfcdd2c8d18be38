// The JSON-RPC binding (§9): one route, every operation by its name.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Admit, logFailure, type Operations, type Streaming, type Unary } from '../operations/index.ts'
import { A2AError } from '../protocol/index.ts'
import { errorHeaders, jsonRpcError, jsonRpcStatus, toA2AError } from './errors.ts'
import { callOf } from './service-parameters.ts'
import { sendFrames } from './sse.ts'

type Id = string | number | null

interface JsonRpcRequest {
  id: Id
  method: string
  params: unknown
}

export interface BindingOptions {
  operations: Operations
  admit: Admit
  heartbeat: number
}

export function jsonRpcRoutes(app: FastifyInstance, { operations, admit, heartbeat }: BindingOptions): void {
  const unary: Record<string, Unary> = operations.unary
  const streaming: Record<string, Streaming> = operations.streaming

  app.post(
    '/a2a',
    { sse: { kind: 'manual', heartbeat: false, serializer: String } },
    async (request, reply) => {
      let id: Id = null
      try {
        const body = readBody(request.body)
        id = idOf(body)
        const { method, params } = readRequest(body, id)
        const call = callOf(request, reply, admit)
        const wrap = (result: string) => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`
        if (Object.hasOwn(streaming, method)) {
          const frames = await streaming[method]!(params, call)
          const failure = (error: unknown) => jsonRpcError(id, error as A2AError)
          await sendFrames(request, reply, frames, { wrap, failure, heartbeat, left: request.left })
          return
        }
        if (!Object.hasOwn(unary, method)) {
          throw new A2AError('MethodNotFoundError', `There is no method "${method.slice(0, 60)}".`)
        }
        const result = await unary[method]!(params, call)
        reply.header('content-type', 'application/json').send(wrap(result))
      } catch (error) {
        sendJsonRpcError(request, reply, id, error)
      }
      return reply
    },
  )
}

/** Answers with an error; for errors of the framework too, which come before the request was read. */
export function sendJsonRpcError(request: FastifyRequest, reply: FastifyReply, id: Id, cause: unknown): void {
  const error = toA2AError(cause)
  logFailure(request.log, error, cause)
  errorHeaders(reply, error)
  reply.code(jsonRpcStatus(error)).header('content-type', 'application/json').send(jsonRpcError(id, error))
}

function readBody(body: unknown): unknown {
  try {
    return JSON.parse(body as string)
  } catch {
    throw new A2AError('ParseError', 'The body is not JSON.')
  }
}

const idOf = (body: unknown): Id => {
  const id = (body as { id?: unknown } | null)?.id
  return typeof id === 'string' || typeof id === 'number' ? id : null
}

function readRequest(body: unknown, id: Id): JsonRpcRequest {
  const bad = (why: string) =>
    new A2AError('InvalidRequestError', `The body is not a JSON-RPC 2.0 request: ${why}.`)
  if (Array.isArray(body)) throw bad('batches are not supported, send one request')
  if (typeof body !== 'object' || body === null) throw bad('it must be an object')
  const { jsonrpc, method, params, id: given } = body as Record<string, unknown>
  if (jsonrpc !== '2.0') throw bad('"jsonrpc" must be "2.0"')
  if (typeof method !== 'string') throw bad('"method" must be a string')
  if (given === undefined) throw bad('"id" is missing, and every operation of A2A has an answer')
  if (id === null && given !== null) throw bad('"id" must be a string, a number or null')
  return { id, method, params }
}
