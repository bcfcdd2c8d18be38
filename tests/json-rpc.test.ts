// The envelope of JSON-RPC (§9.3, §9.5): what is no request, what is no method, and whose answer it is.
import { expect, test } from 'vitest'
import { userMessage } from './support/probe.ts'
import { dataOf, expectJsonRpcError, json, raw } from './support/raw.ts'
import { shareProbe } from './support/shared-probe.ts'

const shared = shareProbe()

const post = (body: string) => raw(`${shared.probe.url}/a2a`, { method: 'POST', headers: json, body })
const rpc = (request: object) => post(JSON.stringify({ jsonrpc: '2.0', id: 7, ...request }))

test.each([
  ['no JSON', '{"jsonrpc":'],
  ['no body', ''],
  ['JSON with a trailing comma', '{"jsonrpc":"2.0",}'],
  ['two values', '{}{}'],
])('a body with %s is -32700', async (_, body) => {
  const answer = await post(body)
  expect(answer.status).toBe(200)
  expectJsonRpcError(answer, -32700, 'PARSE_ERROR')
})

const request = { jsonrpc: '2.0', id: 7, method: 'ListTasks', params: {} }
test.each([
  ['a batch', [request], null],
  ['an empty batch', [], null],
  ['null', null, null],
  ['a text', 'ListTasks', null],
  ['a request without jsonrpc', { ...request, jsonrpc: undefined }, 7],
  ['another version of JSON-RPC', { ...request, jsonrpc: '1.0' }, 7],
  ['jsonrpc as a number', { ...request, jsonrpc: 2.0 }, 7],
  ['no method', { ...request, method: undefined }, 7],
  ['a method that is no text', { ...request, method: 1 }, 7],
  ['no id', { ...request, id: undefined }, null],
  ['an id that is an object', { ...request, id: {} }, null],
  ['an id that is true', { ...request, id: true }, null],
])('%s is -32600 [JSONRPC-FMT-001]', async (_, body, id) => {
  const answer = await post(JSON.stringify(body))
  expect(answer.status).toBe(200)
  expectJsonRpcError(answer, -32600, 'INVALID_REQUEST', id)
})

test.each([
  'Nonsense',
  'sendMessage',
  'SendMessage ',
  '',
  'constructor',
  '__proto__',
  'toString',
  'x'.repeat(9999),
])('the method %j is -32601', async (method) => {
  const answer = await rpc({ method })
  expect(answer.status).toBe(200)
  expectJsonRpcError(answer, -32601, 'METHOD_NOT_FOUND', 7)
  expect(answer.text.length).toBeLessThan(500)
})

test.each([[[]], ['all'], [7], [true]])('params %j are -32602', async (params) => {
  const answer = await rpc({ method: 'ListTasks', params })
  expect(answer.status).toBe(200)
  expectJsonRpcError(answer, -32602, 'INVALID_PARAMS', 7)
  expect(answer.body.error.data[1].fieldViolations).toEqual([
    { field: 'params', description: 'must be an object' },
  ])
})

test.each([[undefined], [null], [{}]])('params %j are none', async (params) => {
  expect((await rpc({ method: 'ListTasks', params })).body.result.tasks).toBeInstanceOf(Array)
})

test.each([0, 1.5, -7, '', 'seven', '7', 'ü\u2028"\\', null])(
  'the id %j comes back as it was [JSONRPC-FMT-001]',
  async (id) => {
    expect((await rpc({ id, method: 'ListTasks' })).body.id).toBe(id)
    expectJsonRpcError(await rpc({ id, method: 'Nonsense' }), -32601, 'METHOD_NOT_FOUND', id)
    const stream = await fetch(`${shared.probe.url}/a2a`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify({
        jsonrpc: '2.0',
        id,
        method: 'SendStreamingMessage',
        params: { message: userMessage('complete') },
      }),
    })
    const frames = dataOf(await stream.text())
    expect(frames.map((frame) => [frame.jsonrpc, frame.id])).toEqual([
      ['2.0', id],
      ['2.0', id],
    ])
  },
)

test.each(['GET', 'PUT', 'PATCH', 'DELETE'])('%s is 405, with Allow', async (method) => {
  const answer = await raw(`${shared.probe.url}/a2a`, { method, headers: json })
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
  expectJsonRpcError(answer, -32600, 'METHOD_NOT_ALLOWED')
})

test('a body that is too large is 413, in the shape of JSON-RPC', async () => {
  const answer = await post('x'.repeat(4 * 1024 * 1024 + 1))
  expect(answer.status).toBe(413)
  expectJsonRpcError(answer, -32600, 'PAYLOAD_TOO_LARGE')
})
