// The JSON-RPC binding (§9): one route, every operation by its name, in 1.0 and in 0.3.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  type Admit,
  logFailure,
  type Operations,
  type Streaming,
  type Unary,
  type Version,
} from '../operations/index.ts'
import { A2AError } from '../protocol/index.ts'
import { createJsonOperations, isNameOf03, jsonRpcError03, methods03 } from '../v03/index.ts'
import { errorHeaders, jsonRpcError, jsonRpcStatus, toA2AError } from './errors.ts'
import type { Heart } from './heart.ts'
import { callOf, versionsOf } from './service-parameters.ts'
import { type Envelope, sendFrames } from './sse.ts'

type Id = string | number | null

interface JsonRpcRequest {
  id: Id
  method: string
  params: unknown
}

export interface BindingOptions {
  operations: Operations
  admit: Admit
  heart: Heart
}

export function jsonRpcRoutes(app: FastifyInstance, { operations, admit, heart }: BindingOptions): void {
  const served: Record<Version, Operations> = { '1.0': operations, '0.3': createJsonOperations(operations) }

  app.post('/a2a', { sse: { kind: 'manual', heartbeat: false } }, async (request, reply) => {
    let id: Id = null
    let errorBody = jsonRpcError
    try {
      const body = readBody(request.body)
      id = idOf(body)
      const { method, params } = readRequest(body, id)
      const version = versionOf(method, request)
      if (version === '0.3') errorBody = jsonRpcError03
      const call = await callOf(request, reply, admit, version)
      const unary: Record<string, Unary> = served[version].unary
      const streaming: Record<string, Streaming> = served[version].streaming
      const name = version === '0.3' ? (methods03.get(method) ?? method) : method
      if (Object.hasOwn(streaming, name)) {
        const frames = await streaming[name]!(params, call)
        return sendFrames(request, reply, { frames, envelope: new JsonRpcEnvelope(id, errorBody), heart })
      }
      if (!Object.hasOwn(unary, name)) {
        throw new A2AError('MethodNotFoundError', `There is no method "${method.slice(0, 60)}".`)
      }
      const result = await unary[name]!(params, call)
      reply.header('content-type', 'application/json').send(responseWith(id, result))
    } catch (error) {
      sendJsonRpcError(request, reply, id, error, errorBody)
    }
    return reply
  })
}

/** `result` is JSON already. */
const responseWith = (id: Id, result: string): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`

class JsonRpcEnvelope implements Envelope {
  readonly #id: Id
  readonly #errorBody: typeof jsonRpcError

  constructor(id: Id, errorBody: typeof jsonRpcError) {
    this.#id = id
    this.#errorBody = errorBody
  }

  wrap(json: string): string {
    return responseWith(this.#id, json)
  }

  failure(error: A2AError): string {
    return this.#errorBody(this.#id, error)
  }
}

/** Which version's name it is. A name in the manner of 0.3 that there is not is unknown in the version that the request says. */
const versionOf = (method: string, request: FastifyRequest): Version =>
  methods03.has(method) ||
  (isNameOf03(method) && !versionsOf(request).some((version) => version.trim().startsWith('1.')))
    ? '0.3'
    : '1.0'

/** Answers with an error; for errors of the framework too, which come before the request was read. */
export function sendJsonRpcError(
  request: FastifyRequest,
  reply: FastifyReply,
  id: Id,
  cause: unknown,
  body = jsonRpcError,
): void {
  const error = toA2AError(cause)
  logFailure(request.log, error, cause)
  errorHeaders(reply, error)
  reply.code(jsonRpcStatus(error)).header('content-type', 'application/json').send(body(id, error))
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

const bad = (why: string) =>
  new A2AError('InvalidRequestError', `The body is not a JSON-RPC 2.0 request: ${why}.`)

function readRequest(body: unknown, id: Id): JsonRpcRequest {
  if (Array.isArray(body)) throw bad('batches are not supported, send one request')
  if (typeof body !== 'object' || body === null) throw bad('it must be an object')
  const { jsonrpc, method, params, id: given } = body as Record<string, unknown>
  if (jsonrpc !== '2.0') throw bad('"jsonrpc" must be "2.0"')
  if (typeof method !== 'string') throw bad('"method" must be a string')
  if (given === undefined) throw bad('"id" is missing, and every operation of A2A has an answer')
  if (id === null && given !== null) throw bad('"id" must be a string, a number or null')
  return { id, method, params }
}
