// Requests at the edges of HTTP, over a bare connection: each is answered in the shape of its binding, and changes nothing.
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { errorSchema, parseRequest } from '@a2a-kit/task-core/protocol'
import { expect, test } from 'vitest'
import { startProbe, userMessage } from './support/probe.ts'
import { shareProbe } from './support/shared-probe.ts'

const shared = shareProbe()

/** The status and the body of the answer to these lines. */
async function ask(lines: string[], body = ''): Promise<{ status: number; json: Record<string, unknown> }> {
  const socket = connect(shared.probe.port, '127.0.0.1')
  const sized = body === '' ? [] : ['Content-Type: application/json', `Content-Length: ${body.length}`]
  socket.write(`${[...lines, ...sized, 'Connection: close', '', body].join('\r\n')}`)
  const answer = await text(socket)
  const [head = '', ...rest] = answer.split('\r\n\r\n')
  return { status: Number(head.slice(9, 12)), json: JSON.parse(rest.join('')) as Record<string, unknown> }
}

const unknown = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'None', params: {} })

test('a request that names no host is refused in the shape of HTTP+JSON', async () => {
  const { status, json } = await ask(['GET /a2a/tasks HTTP/1.1', 'A2A-Version: 1.0'])
  expect([status, json.error]).toEqual([
    400,
    expect.objectContaining({ code: 400, status: 'INVALID_ARGUMENT' }),
  ])
})

test('a request that names no host is refused in the shape of JSON-RPC', async () => {
  const { status, json } = await ask(['POST /a2a HTTP/1.1'], unknown)
  expect([status, json]).toMatchObject([200, { jsonrpc: '2.0', error: { code: -32600 } }])
})

test('a request that names two hosts is refused, also where they are the same', async () => {
  for (const other of ['evil.example', 'localhost']) {
    const { status, json } = await ask(['GET /health HTTP/1.1', 'Host: localhost', `host: ${other}`])
    expect([status, json.error]).toEqual([400, expect.objectContaining({ status: 'INVALID_ARGUMENT' })])
  }
})

test('HTTP/1.0 knows no host, and is answered', async () => {
  expect((await ask(['GET /health HTTP/1.0'])).status).toBe(200)
})

test('an expectation that there is not counts as none', async () => {
  const { status, json } = await ask(['GET /health HTTP/1.1', 'Host: localhost', 'Expect: tea'])
  expect([status, json.status]).toEqual([200, 'ok'])
})

test.each(['PROPFIND', 'OPTIONS', 'TRACE'])(
  '%s on the address of JSON-RPC is refused in its shape',
  async (method) => {
    const { status, json } = await ask([`${method} /a2a HTTP/1.1`, 'Host: localhost'])
    expect([status, json]).toMatchObject([405, { jsonrpc: '2.0', id: null, error: { code: -32600 } }])
  },
)

test.each([
  '/a2a',
  '/a2a/',
  '/a2a?x',
  '/a2a#x',
  '/%612a',
  'http://other.example/a2a',
  'HTTP://other.example/a2a?x',
])(
  'what is wrong with a request to %s is said in the shape of JSON-RPC, also before it is read',
  async (address) => {
    const { json } = await ask([`POST ${address} HTTP/1.1`, 'Host: localhost'], unknown)
    expect(json).toMatchObject({ jsonrpc: '2.0', id: 7 })
    const early = await ask([
      `POST ${address} HTTP/1.1`,
      'Host: localhost',
      'Content-Type: text/plain',
      'Content-Length: 0',
    ])
    expect([early.status, early.json]).toMatchObject([415, { jsonrpc: '2.0', error: { code: -32005 } }])
  },
)

test('a whole address is that of its path, over HTTP+JSON too', async () => {
  const { status, json } = await ask([
    'GET http://other.example/a2a/tasks/none HTTP/1.1',
    'Host: localhost',
    'A2A-Version: 1.0',
  ])
  expect(status).toBe(404)
  expect(parseRequest(errorSchema, json)).toMatchObject({ error: { status: 'NOT_FOUND' } })
})

test('a request that never comes whole is given up, and a call that waits for its task is not', async () => {
  const { port, call } = await startProbe({ settings: { requestTimeout: 200 } })
  const waiting = call('HTTP+JSON', 'SendMessage', { message: userMessage('sleep 1500') })
  const socket = connect(port, '127.0.0.1')
  socket.write(
    'POST /a2a HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
  )
  expect(await text(socket)).toContain('The request did not arrive whole in time.')
  expect((await waiting).result.task.status.state).toBe('TASK_STATE_COMPLETED')
})
