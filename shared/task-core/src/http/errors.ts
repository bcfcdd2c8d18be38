// Errors on the wire: the framework's become the protocol's, and each binding has its shape for them (§9.5, §11.6).
import type { Socket } from 'node:net'
import type { FastifyReply } from 'fastify'
import { failureOf } from '../operations/index.ts'
import { A2AError, type ErrorName } from '../protocol/index.ts'

const frameworkErrors: Record<string, [ErrorName, string]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    'UnsupportedMediaTypeError',
    'The Content-Type is not supported: send application/json or application/a2a+json.',
  ],
  FST_ERR_CTP_BODY_TOO_LARGE: ['PayloadTooLargeError', 'The request body is too large.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['InvalidRequestError', 'Content-Length is not that of the body.'],
}

/** `error`, which may be the framework's, as one of the protocol's. */
export function toA2AError(error: unknown): A2AError {
  if (error instanceof A2AError) return error
  const { code, statusCode } = error as { code?: string; statusCode?: number }
  const known = code === undefined ? undefined : frameworkErrors[code]
  if (known) return new A2AError(known[0], known[1])
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new A2AError('InvalidRequestError', 'The request is not valid HTTP for this agent.')
  }
  return failureOf(error)
}

/** HTTP statuses that a JSON-RPC answer keeps; with any other error it is 200, since some clients read no other body. */
const keptByJsonRpc = new Set([401, 403, 405, 413, 415, 421, 429, 503])

/** The JSON-RPC response for an error, as text. */
export const jsonRpcError = (id: unknown, error: A2AError): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: id ?? null,
    error: { code: error.row.code, message: error.message, data: error.details() },
  })

export const jsonRpcStatus = ({ row }: A2AError): number => (keptByJsonRpc.has(row.http) ? row.http : 200)

/** The body of an HTTP+JSON error: google.rpc.Status (§11.6), as text. */
export const httpJsonError = (error: A2AError): string =>
  JSON.stringify({
    error: {
      code: error.row.http,
      status: error.row.grpc,
      message: error.message,
      details: error.details(),
    },
  })

/** Adds what HTTP wants said beside the body. */
export function errorHeaders(reply: FastifyReply, { name, retryAfter, metadata }: A2AError): void {
  if (retryAfter !== undefined) reply.header('Retry-After', String(retryAfter))
  else if (name === 'UnavailableError') reply.header('Retry-After', '1')
  if (name === 'UnauthenticatedError') {
    // RFC 6750, 3.1: a request without a token is told no error.
    const { error } = metadata
    reply.header('WWW-Authenticate', error === undefined ? 'Bearer' : `Bearer error="${error}"`)
  }
}

const brokenHttp: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'The headers of the request are too large.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive whole in time.',
}

/** Answers what cannot be read as HTTP, on its bare connection, and closes that. */
export function answerBrokenHttp(cause: NodeJS.ErrnoException, socket: Socket): void {
  const why = brokenHttp[cause.code ?? ''] ?? 'The request is not valid HTTP.'
  const body = httpJsonError(new A2AError('InvalidRequestError', why))
  if (cause.code !== 'ECONNRESET' && socket.writable) {
    const head = ['HTTP/1.1 400 Bad Request', 'Content-Type: application/json', 'Connection: close']
    socket.write(`${[...head, `Content-Length: ${Buffer.byteLength(body)}`].join('\r\n')}\r\n\r\n${body}`)
  }
  socket.destroySoon()
}
