import { expect, test } from 'vitest'
import { detailsFromWire, fromWire, grpcMethods, statusToWire, toWire } from './index.ts'

const request = (name: string) => grpcMethods.get(name)!.request
const reply = (name: string) => grpcMethods.get(name)!.reply
const deep = (levels: number): object => (levels === 1 ? {} : { a: deep(levels - 1) })

test.each<[string, ReturnType<typeof request>, object]>([
  ['0 where a field is optional', request('GetTask'), { id: 'T', historyLength: 0 }],
  ['nothing where it is not there', request('GetTask'), { id: 'T' }],
  ['false where it is optional', request('ListTasks'), { includeArtifacts: false }],
  ['a state by its name', request('ListTasks'), { status: 'TASK_STATE_AUTH_REQUIRED' }],
  ['a time', request('ListTasks'), { statusTimestampAfter: '2026-10-06T09:00:00.125Z' }],
  ['an empty answer', reply('DeleteTaskPushNotificationConfig'), {}],
  [
    'every kind of part',
    reply('SendMessage'),
    {
      message: { parts: [{ text: '' }, { raw: 'AAE=' }, { url: 'u' }, { data: null }, { data: [1.5, {}] }] },
    },
  ],
  ['JSON that is a hundred deep', request('SendMessage'), { metadata: deep(100) }],
  [
    'a card with every kind of scheme',
    reply('GetExtendedAgentCard'),
    {
      name: 'x',
      capabilities: { streaming: false },
      securitySchemes: {
        a: { apiKeySecurityScheme: { location: 'header', name: 'k' } },
        b: { httpAuthSecurityScheme: { scheme: 'Bearer' } },
        c: { oauth2SecurityScheme: { flows: { deviceCode: { tokenUrl: 'u', scopes: { s: 't' } } } } },
        d: { openIdConnectSecurityScheme: { openIdConnectUrl: 'u' } },
        e: { mtlsSecurityScheme: {} },
      },
      securityRequirements: [{ schemes: { a: { list: ['s'] } } }],
      signatures: [{ protected: 'p', signature: 's', header: { kid: '1' } }],
    },
  ],
])('%s comes through', (_, type, json) => {
  expect(fromWire(type, toWire(type, json as never))).toEqual(json)
})

test('what equals its default is absent, and unknown fields are left out, unless they are refused', () => {
  const type = request('GetTask')
  expect(fromWire(type, toWire(type, { id: '', tenant: '', foo: 1 }))).toEqual({})
  expect(() => toWire(type, { foo: 1 }, { strict: true })).toThrow(/foo/)
})

test('details that are not known, and bytes that are none, are passed over', () => {
  const info = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'R', domain: 'd' }
  const known = statusToWire(5, 'text', [info])
  const unknown = Buffer.from([0x1a, 7, 0x0a, 3, ...Buffer.from('x/y'), 0x12, 0])
  expect(detailsFromWire(Buffer.concat([unknown, known]))).toEqual([info])
  for (const bytes of [Buffer.alloc(0), Buffer.from('nonsense'), Buffer.from([0x1a, 200])]) {
    expect(detailsFromWire(bytes)).toEqual([])
  }
})
