// The HTTP+JSON binding: a path for each operation, errors as google.rpc.Status (§11).
import type {
  CancelTaskRequest,
  GetTaskRequest,
  ListTaskPushNotificationConfigsRequest,
  ListTasksRequest,
} from '@a2a-kit/task-core/protocol'
import type { Dispatcher } from 'undici'
import { send } from '../http.ts'
import { isObject } from '../json.ts'
import { httpError, readJson } from '../reply.ts'
import { readers } from '../shapes.ts'
import { openStream, type Unwrap } from '../stream.ts'
import {
  type CallOptions,
  type Calls,
  headersOf,
  type Limits,
  type Method,
  replyLimit,
  type Streams,
  type Transport,
} from '../transport.ts'
import { errorOf } from '../wire-errors.ts'

interface Route {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  body?: object
}

type Requests = { [M in keyof Calls]: Calls[M]['request'] } & Streams

const taskPath = (id: string) => `/tasks/${encodeURIComponent(id)}`

const configsPath = (taskId: string) => `${taskPath(taskId)}/pushNotificationConfigs`
const configPath = ({ taskId, id }: { taskId: string; id: string }) =>
  `${configsPath(taskId)}/${encodeURIComponent(id)}`

/** A query by JSON names (§11.5); `0` and `false` say something, undefined does not. */
function query(fields: object): string {
  const given = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  )
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}

const routes: { [M in Method]: (request: Requests[M]) => Route } = {
  SendMessage: (body) => ({ method: 'POST', path: '/message:send', body }),
  SendStreamingMessage: (body) => ({ method: 'POST', path: '/message:stream', body }),
  GetTask: ({ tenant: _, id, ...fields }: GetTaskRequest) => ({
    method: 'GET',
    path: taskPath(id) + query(fields),
  }),
  ListTasks: ({ tenant: _, ...fields }: ListTasksRequest) => ({
    method: 'GET',
    path: `/tasks${query(fields)}`,
  }),
  CancelTask: ({ id, ...body }: CancelTaskRequest) => ({
    method: 'POST',
    path: `${taskPath(id)}:cancel`,
    body,
  }),
  CreateTaskPushNotificationConfig: ({ taskId, ...body }) => ({
    method: 'POST',
    path: configsPath(taskId),
    body,
  }),
  GetTaskPushNotificationConfig: (config) => ({ method: 'GET', path: configPath(config) }),
  ListTaskPushNotificationConfigs: ({
    tenant: _,
    taskId,
    ...fields
  }: ListTaskPushNotificationConfigsRequest) => ({
    method: 'GET',
    path: configsPath(taskId) + query(fields),
  }),
  DeleteTaskPushNotificationConfig: (config) => ({ method: 'DELETE', path: configPath(config) }),
  GetExtendedAgentCard: () => ({ method: 'GET', path: '/extendedAgentCard' }),
  SubscribeToTask: ({ id, ...body }) => ({ method: 'POST', path: `${taskPath(id)}:subscribe`, body }),
}

const json = 'application/a2a+json, application/json'

export function httpJsonTransport(url: string, limits: Limits, dispatcher?: Dispatcher): Transport {
  const request = <M extends Method>(method: M, given: Requests[M], options: CallOptions, accept: string) => {
    const { method: verb, path, body } = routes[method](given)
    return send({
      method: verb,
      url,
      // The proto puts the tenant before the path; it is the only way for it into a GET.
      path: given.tenant === undefined ? path : `/${encodeURIComponent(given.tenant)}${path}`,
      headers: {
        ...headersOf(options),
        ...(body && { 'Content-Type': 'application/a2a+json' }),
        Accept: accept,
      },
      ...(body && { body }),
      limitMs: replyLimit(method, given, limits),
      signal: options.signal,
      dispatcher,
    })
  }
  return {
    async call(method, given, options) {
      const reply = await request(method, given as Requests[typeof method], options, json)
      const orNothing = method === 'DeleteTaskPushNotificationConfig'
      const body = await readJson(reply, replyLimit(method, given, limits), { orNothing })
      return readers[method](payloadOf(body, reply))
    },
    async open(method, given, options) {
      const reply = await request(
        method,
        given as Requests[typeof method],
        options,
        `text/event-stream, ${json}`,
      )
      return openStream(reply, payloadOf, limits)
    },
  }
}

const payloadOf: Unwrap = (body, reply) => {
  if (isObject(body) && isObject(body.error)) {
    const { code, status, message, details } = body.error
    // In a stream the HTTP status is 200 and the error's own code says what it would have been.
    const facts = { ...reply, status: reply.ok && typeof code === 'number' ? code : reply.status }
    throw errorOf({ status, message, details }, facts, reply.host)
  }
  if (!reply.ok) throw httpError(reply, 'no error of the protocol', JSON.stringify(body))
  return body
}
