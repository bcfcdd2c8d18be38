// The fuzz run can fail: each fault that it looks for is found in a server that has it.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { beforeAll, expect, test } from 'vitest'
import type { Request } from './request.ts'
import { openLedger } from './rows.ts'
import { type Target, tryOut } from './trial.ts'

const secret = 'a-token-of-somebody'
let target: Target
let fault: (response: ServerResponse, db: Database.Database) => void

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'a2a-kit-'))
  const db = new Database(join(folder, 'some.db'))
  db.pragma('journal_mode = WAL')
  for (const table of ['tasks', 'messages', 'push_configs'])
    db.exec(`CREATE TABLE ${table} (name TEXT, due INTEGER)`)
  db.exec("INSERT INTO tasks VALUES ('known', NULL)")
  const server = createServer((_request, response) => fault(response, db))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const ledger = openLedger(join(folder, 'some.db'))
  target = { name: 'some', port: (server.address() as AddressInfo).port, ledger, secrets: [secret] }
  return () => {
    server.close()
    ledger.close()
    db.close()
    rmSync(folder, { recursive: true })
  }
})

const request = (target: string, { method = 'POST', body = '{"id":7}' } = {}): Request => ({
  method,
  target,
  headers: [
    ['Host', 'localhost'],
    ['Connection', 'close'],
  ],
  body: Buffer.from(body),
  framing: 'length',
})

const send = (response: ServerResponse, status: number, body: unknown, type = 'application/json') =>
  void response
    .writeHead(status, { 'Content-Type': type })
    .end(typeof body === 'string' ? body : JSON.stringify(body))

const rpc = (code: number, more: object = {}) => ({
  jsonrpc: '2.0',
  id: 7,
  error: { code, message: 'No.', data: [{ reason: 'R' }], ...more },
})
const rest = (code: number, more: object = {}) => ({
  error: { code, status: 'S', message: 'No.', details: [], ...more },
})

const faults: [name: string, address: string, fault: typeof fault, problem: string][] = [
  ['a 500', '/a2a/tasks', (response) => send(response, 500, rest(500)), 'The status is 500.'],
  [
    'a failure over JSON-RPC, which comes with 200',
    '/a2a',
    (response) => send(response, 200, rpc(-32603, { data: [{ reason: 'INTERNAL_ERROR' }] })),
    'The agent says that it failed.',
  ],
  [
    'a failure in the middle of a stream',
    '/a2a',
    (response) =>
      send(
        response,
        200,
        `data: ${JSON.stringify(rpc(-32603, { data: [{ reason: 'INTERNAL_ERROR' }] }))}\n\n`,
        'text/event-stream',
      ),
    'The stream says that the agent failed.',
  ],
  [
    'another shape for errors',
    '/a2a/tasks',
    (response) => send(response, 404, { oh: 'no' }),
    'has not the shape',
  ],
  ['the shape of another binding', '/a2a', (response) => send(response, 405, rest(405)), 'is no JSON-RPC'],
  [
    'a status that is not that of the body',
    '/a2a/tasks',
    (response) => send(response, 404, rest(400)),
    'has not the shape',
  ],
  [
    'another id',
    '/a2a',
    (response) => send(response, 200, { ...rpc(-32602), id: 8 }),
    'not the id of the request',
  ],
  [
    'another media type',
    '/a2a/tasks',
    (response) => send(response, 404, rest(404), 'text/plain'),
    'of type "text/plain"',
  ],
  ['no JSON', '/a2a/tasks', (response) => send(response, 404, '{"error":'), 'is no JSON'],
  ['no body', '/a2a/tasks', (response) => send(response, 404, ''), 'has no body'],
  ['no answer', '/a2a/tasks', (response) => void response.socket!.destroy(), 'closed without an answer'],
  [
    'a stack',
    '/a2a/tasks',
    (response) => send(response, 400, rest(400, { message: new Error('x').stack })),
    'shows what is inside',
  ],
  [
    'an error of the system',
    '/a2a/tasks',
    (response) => send(response, 400, rest(400, { message: 'ENOENT: x' })),
    'shows what is inside',
  ],
  ['a token', '/a2a/tasks', (response) => send(response, 400, rest(400, { message: secret })), 'a token'],
  [
    'a row that a refused request has left',
    '/a2a/message:send',
    (response, db) => {
      db.exec("INSERT INTO messages VALUES ('m', NULL)")
      send(response, 400, rest(400))
    },
    '1 rows of messages were stored, and 0 at most were accepted.',
  ],
  [
    'a row that a refused request has changed',
    '/a2a/message:send',
    (response, db) => {
      db.exec("UPDATE tasks SET name = name || 'x'")
      send(response, 400, rest(400))
    },
    'No request was accepted, and a row has changed.',
  ],
  [
    'a row that a request has left which only reads',
    '/a2a',
    (response, db) => {
      db.exec("INSERT INTO tasks VALUES ('t', NULL)")
      send(response, 200, { jsonrpc: '2.0', id: 7, result: {} })
    },
    '1 rows of tasks were stored',
  ],
]

test.each(faults)('%s is found', async (_, address, planted, problem) => {
  fault = planted
  const { problem: found } = await tryOut(target, [request(address, { body: '{"id":7,"method":"GetTask"}' })])
  expect(found?.text ?? 'nothing').toContain(problem)
})

test('more rows than requests that were accepted are found among requests that were', async () => {
  fault = (response, db) => {
    db.exec("INSERT INTO push_configs VALUES ('c', 0)")
    send(response, db.prepare('SELECT count(*) FROM push_configs').pluck().get() === 1 ? 200 : 400, rest(400))
  }
  const { problem } = await tryOut(target, [request('/a2a/tasks/x'), request('/a2a/tasks/y')])
  expect(problem?.text).toBe('2 rows of push_configs were stored, and 1 at most were accepted.')
})

test('answers as they should be are no faults, and what was accepted may be stored', async () => {
  const good: [string, typeof fault][] = [
    ['/a2a', (response) => send(response, 200, rpc(-32602))],
    ['/a2a/tasks', (response) => send(response, 404, rest(404))],
    [
      '/a2a/v1/tasks',
      (response) => send(response, 404, { code: -32001, message: 'No.', data: { reason: 'R' } }),
    ],
    ['/approve/x', (response) => send(response, 409, { error: 'No.' })],
    [
      '/a2a/message:send',
      (response, db) => {
        db.exec("INSERT INTO messages VALUES ('n', NULL)")
        send(response, 200, { task: {} })
      },
    ],
  ]
  for (const [address, answer] of good) {
    fault = answer
    expect((await tryOut(target, [request(address)])).problem).toBeUndefined()
  }
})
