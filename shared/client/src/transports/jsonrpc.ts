// The JSON-RPC binding: one address, the method in the body, errors in the body (§9).
import { A2AError } from '@a2a-kit/task-core/protocol'
import type { Dispatcher } from 'undici'
import { send } from '../http.ts'
import { isObject } from '../json.ts'
import { httpError, readJson } from '../reply.ts'
import { readers } from '../shapes.ts'
import { openStream, type Unwrap } from '../stream.ts'
import {
  type CallOptions,
  headersOf,
  type Limits,
  type Method,
  replyLimit,
  type Transport,
} from '../transport.ts'
import { errorOf } from '../wire-errors.ts'

export function jsonRpcTransport(url: string, limits: Limits, dispatcher?: Dispatcher): Transport {
  let lastId = 0
  const post = (method: Method, params: object, options: CallOptions, accept: string) =>
    send({
      method: 'POST',
      url,
      headers: { ...headersOf(options), 'Content-Type': 'application/json', Accept: accept },
      body: { jsonrpc: '2.0', id: ++lastId, method, params },
      limitMs: replyLimit(method, params, limits),
      signal: options.signal,
      dispatcher,
    })
  return {
    async call(method, request, options) {
      const reply = await post(method, request, options, 'application/json')
      const body = await readJson(reply, replyLimit(method, request, limits))
      return readers[method](resultOf(body, reply))
    },
    async open(method, request, options) {
      const reply = await post(method, request, options, 'text/event-stream, application/json')
      return openStream(reply, resultOf, limits)
    },
  }
}

const resultOf: Unwrap = (body, reply) => {
  if (isObject(body) && isObject(body.error)) {
    throw errorOf({ ...body.error, details: body.error.data, status: undefined }, reply, reply.host)
  }
  if (!reply.ok) throw httpError(reply, 'no JSON-RPC error', JSON.stringify(body))
  if (!isObject(body) || body.result === undefined) {
    throw new A2AError(
      'InvalidAgentResponseError',
      `${reply.host} answered with neither a result nor an error; check that its card gives the right address.`,
    )
  }
  return body.result
}
