// Bare HTTP, for what no client would send: each operation as its request, and answers as they came.
import { expect } from 'vitest'
import type { JsonBinding } from './probe.ts'
import { expectNoInsides } from './refusals.ts'

export interface RawAnswer {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any
}

/** Sends a request as it is. The body of the answer must be JSON, or empty. */
export async function raw(url: string, init: RequestInit = {}): Promise<RawAnswer> {
  const response = await fetch(url, init)
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: text === '' ? undefined : JSON.parse(text),
  }
}

export const json = { 'A2A-Version': '1.0', 'Content-Type': 'application/json' }

/** Each operation: its route over HTTP+JSON for the task `T`, and its parameters. */
export const operations: [operation: string, method: string, path: string, params: object][] = [
  ['SendMessage', 'POST', '/message:send', {}],
  ['SendStreamingMessage', 'POST', '/message:stream', {}],
  ['GetTask', 'GET', '/tasks/T', { id: 'T' }],
  ['ListTasks', 'GET', '/tasks', {}],
  ['CancelTask', 'POST', '/tasks/T:cancel', { id: 'T' }],
  ['SubscribeToTask', 'POST', '/tasks/T:subscribe', { id: 'T' }],
  ['CreateTaskPushNotificationConfig', 'POST', '/tasks/T/pushNotificationConfigs', { taskId: 'T' }],
  ['GetTaskPushNotificationConfig', 'GET', '/tasks/T/pushNotificationConfigs/C', { taskId: 'T', id: 'C' }],
  ['ListTaskPushNotificationConfigs', 'GET', '/tasks/T/pushNotificationConfigs', { taskId: 'T' }],
  [
    'DeleteTaskPushNotificationConfig',
    'DELETE',
    '/tasks/T/pushNotificationConfigs/C',
    { taskId: 'T', id: 'C' },
  ],
  ['GetExtendedAgentCard', 'GET', '/extendedAgentCard', {}],
]

/** An operation's request over `binding`; `params` in place of its own, `search` at the end of the address. */
export function requestOf(
  binding: JsonBinding,
  operation: string,
  { params = undefined as object | undefined, headers = json as Record<string, string>, search = '' } = {},
): [path: string, init: RequestInit] {
  const [, method, path, own] = operations.find(([name]) => name === operation)!
  if (binding === 'JSONRPC') {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method: operation, params: params ?? own })
    return [search, { method: 'POST', headers, body }]
  }
  const body = method === 'POST' ? { body: JSON.stringify(params ?? own) } : {}
  return [path + search, { method, headers, ...body }]
}

/** Holds that `answer` is an error of JSON-RPC (§9.5), with `id`. */
export function expectJsonRpcError(
  answer: RawAnswer,
  code: number,
  reason: string,
  id: unknown = null,
): void {
  expect(answer.headers.get('content-type')).toMatch(/^application\/json\b/)
  expect(answer.body).toEqual({
    jsonrpc: '2.0',
    id,
    error: { code, message: expect.any(String), data: detailsOf(reason) },
  })
  expectNoInsides(answer.text)
}

/** Holds that `answer` is an error of HTTP+JSON (§11.6): `http` as its status and in its body. */
export function expectHttpJsonError(answer: RawAnswer, http: number, grpc: string, reason: string): void {
  expect(answer.status).toBe(http)
  expect(answer.headers.get('content-type')).toMatch(/^application\/(a2a\+)?json\b/)
  expect(answer.body).toEqual({
    error: { code: http, status: grpc, message: expect.any(String), details: detailsOf(reason) },
  })
  expectNoInsides(answer.text)
}

/** ErrorInfo first; then, for a field at fault, BadRequest. */
const detailsOf = (reason: string) => {
  const info = {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason,
    domain: 'a2a-protocol.org',
  }
  return expect.toSatisfy(
    ([first, second, ...more]: Record<string, unknown>[]) =>
      more.length === 0 &&
      Object.entries(info).every(([name, value]) => first?.[name] === value) &&
      Object.values(first!.metadata ?? {}).every((value) => typeof value === 'string') &&
      (second === undefined || second['@type'] === 'type.googleapis.com/google.rpc.BadRequest'),
    `details with the reason ${reason}`,
  )
}

/** The data of the frames in the text of a stream. */
export const dataOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice(6)))
