// Whatever a stranger answers: events, a card, an error of the protocol, or one of the client's own; never a TypeError.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { A2AError } from '@a2a-kit/task-core/protocol'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { chooseInterface, fetchCard } from './card.ts'
import { CardError, HttpError } from './errors.ts'
import { sseEvents } from './sse.ts'
import { drain } from './testing/fixtures.ts'
import { errorOf } from './wire-errors.ts'

const names = [
  ...[
    'name',
    'url',
    'supportedInterfaces',
    'capabilities',
    'protocolBinding',
    'protocolVersion',
    'extensions',
  ],
  ...[
    'code',
    'status',
    'message',
    'details',
    'data',
    '@type',
    'reason',
    'domain',
    'metadata',
    'fieldViolations',
  ],
  ...['__proto__', 'constructor', 'toString'],
]
const { value: anyJson } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.constantFrom(
      null,
      true,
      0,
      -32001,
      404,
      '1.0',
      '0.3',
      'JSONRPC',
      'GRPC',
      'http://h/a2a',
      'localhost:1',
      '',
    ),
    fc.constantFrom('type.googleapis.com/google.rpc.ErrorInfo', 'a2a-protocol.org', 'TASK_NOT_FOUND'),
    fc.string({ unit: 'grapheme' }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 6 }),
  ),
}))

const badRequest = 'type.googleapis.com/google.rpc.BadRequest'

let body = ''
let address = ''
beforeAll(async () => {
  const server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'application/json').end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/card.json`
  return () => void server.close()
})

test('whatever stands where the card should be, it is a card with an interface to call, or no card', async () => {
  const field = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('1.0', 'JSONRPC', 'GRPC', 'http://h/a2a') },
    anyJson,
  )
  const face = fc.record({ url: field, protocolBinding: field, protocolVersion: field })
  const nearlyCards = fc
    .record({
      name: fc.string(),
      supportedInterfaces: fc.array(fc.oneof(face, anyJson)),
      capabilities: fc.oneof(anyJson, fc.record({ extensions: anyJson })),
    })
    .map((card) => card as unknown)
  await fc.assert(
    fc.asyncProperty(fc.oneof(anyJson, nearlyCards), async (card) => {
      body = JSON.stringify(card)
      try {
        const read = await fetchCard(address, { limitMs: 10_000 })
        expect(read.capabilities.extensions?.some(({ uri }) => uri === 'urn:x') ?? false).toBe(false)
        const { url } = chooseInterface(read, ['JSONRPC', 'HTTP+JSON', 'GRPC'])
        expect(typeof url).toBe('string')
      } catch (error) {
        if (!(error instanceof CardError)) throw error
      }
    }),
  )
})

test('whatever an agent answers as an error, it is one of the protocol, or says the HTTP status', () => {
  fc.assert(
    fc.property(
      anyJson,
      anyJson,
      anyJson,
      fc.integer({ min: 100, max: 599 }),
      (code, message, details, status) => {
        const error = errorOf({ code, status: message, message, details }, { status }, 'host')
        expect(error instanceof A2AError || error instanceof HttpError).toBe(true)
        expect(error.message).not.toBe('')
        if (error instanceof A2AError)
          for (const value of Object.values(error.metadata)) expect(typeof value).toBe('string')
      },
    ),
    {
      examples: [
        [null, { toString: null }, null, 500],
        [null, null, [{ '@type': badRequest, fieldViolations: [{ field: { toString: null } }] }], 400],
      ],
    },
  )
})

test('SSE-LINE-ENDINGS: whatever bytes come, and however they are cut, the events are the same', async () => {
  const piece = fc.oneof(
    fc.constantFrom(
      'data: x',
      'data:',
      'id: 1',
      'id: \u0000',
      ':',
      'event: e',
      'retry: -1',
      '\n',
      '\r',
      '\r\n',
      '\n\n',
      '\uFEFF',
    ),
    fc.string({ unit: 'binary' }),
  )
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 60 }),
    fc.array(piece).map((pieces) => new TextEncoder().encode(pieces.join(''))),
  )
  async function* cut(all: Uint8Array, size: number) {
    for (let at = 0; at < all.length; at += size) yield all.subarray(at, at + size)
  }
  await fc.assert(
    fc.asyncProperty(bytes, fc.integer({ min: 1, max: 9 }), async (all, size) => {
      const whole = await drain(sseEvents(cut(all, all.length || 1)))
      expect((await drain(sseEvents(cut(all, size)))).got).toEqual(whole.got)
    }),
  )
})
