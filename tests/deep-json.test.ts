// Requests that are nothing but depth, far beyond what a stack holds: refused, or passed over where nobody reads them, and the agent goes on.
import { status } from '@grpc/grpc-js'
import { describe, expect, test } from 'vitest'
import { grpcClient, rawCall, requestBytes } from './support/grpc.ts'
import { userMessage } from './support/probe.ts'
import { json, raw } from './support/raw.ts'
import { expectNoInsides } from './support/refusals.ts'
import { shareProbe } from './support/shared-probe.ts'

const shared = shareProbe()

interface Door {
  path: string
  headers: Record<string, string>
  /** The body of the request with these fields, as JSON. */
  body(fields: string): string
  /** The field with these contents of the message. */
  parts: [field: string, data: (json: string) => string]
}

const rpc = (method: string) => (fields: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"${method}","params":{${fields}}}`
const whole = (fields: string) => `{${fields}}`
const older = { 'Content-Type': 'application/json' }
const doors: [string, Door][] = [
  [
    'JSON-RPC',
    { path: '', headers: json, body: rpc('SendMessage'), parts: ['parts', (it) => `{"data":${it}}`] },
  ],
  [
    'HTTP+JSON',
    { path: '/message:send', headers: json, body: whole, parts: ['parts', (it) => `{"data":${it}}`] },
  ],
  [
    'JSON-RPC of 0.3',
    {
      path: '',
      headers: older,
      body: rpc('message/send'),
      parts: ['parts', (it) => `{"kind":"data","data":${it}}`],
    },
  ],
  [
    'HTTP+JSON of 0.3',
    {
      path: '/v1/message:send',
      headers: older,
      body: whole,
      parts: ['content', (it) => `{"data":{"data":${it}}}`],
    },
  ],
]

const depths = {
  arrays: '['.repeat(100_000) + ']'.repeat(100_000),
  objects: `${'{"a":'.repeat(50_000)}0${'}'.repeat(50_000)}`,
  'arrays that do not end': '['.repeat(200_000),
}

describe.each(doors)('over %s', (_name, { path, headers, body, parts: [field, data] }) => {
  const role = headers === json || field === 'content' ? 'ROLE_USER' : 'user'
  const message = (contents: string, more = '') =>
    `"message":{"messageId":"m","role":"${role}","${field}":${contents}${more}}`
  const places: [string, (json: string) => string][] = [
    ['the data of a part', (it) => message(`[${data(it)}]`)],
    ['the parts', (it) => message(it)],
    ['metadata', (it) => `${message('[{"text":"complete"}]')},"metadata":{"a":${it}}`],
    ['metadata of the message', (it) => message('[{"text":"complete"}]', `,"metadata":{"a":${it}}`)],
  ]

  test.each(Object.keys(depths) as (keyof typeof depths)[])(
    '%s are refused wherever they stand',
    async (kind) => {
      await shared.changesNothing(async () => {
        for (const [place, at] of places) {
          const answer = await raw(`${shared.probe.url}/a2a${path}`, {
            method: 'POST',
            headers,
            body: body(at(depths[kind])),
          })
          const { error = answer.body } = answer.body
          expect([-32602, -32700, 400], `${place}: ${answer.text.slice(0, 300)}`).toContain(error.code)
          expect(answer.text.length, place).toBeLessThan(2000)
          expectNoInsides(answer.text)
        }
      })
    },
  )

  test('a field that nobody knows may be as deep as it likes', async () => {
    const unknown = `,"unknown":${depths.arrays.slice(100, -100)}`
    const fields = `${message('[{"kind":"text","text":"complete"}]', '')}${unknown}`
    const answer = await raw(`${shared.probe.url}/a2a${path}`, {
      method: 'POST',
      headers,
      body: body(fields),
    })
    expect(answer.text).toMatch(/completed/i)
  })
})

/** `metadata` of a SendMessageRequest whose one value is lists within lists, so many deep: written from the inside out. */
function deepMetadata(levels: number): Buffer {
  const heads: Buffer[] = []
  let length = 0
  const wrap = (tag: number) => {
    const head = [tag]
    let left = length
    for (; left > 127; left = Math.floor(left / 128)) head.push((left % 128) + 128)
    heads.push(Buffer.from([...head, left]))
    length += head.length + 1
  }
  const [listValue, values] = [0x32, 0x0a]
  for (let level = 0; level < levels; level += 1) {
    wrap(listValue)
    wrap(values)
  }
  wrap(0x12) // the value of the entry, after its key
  heads.push(Buffer.from([0x0a, 1, 0x61]))
  length += 3
  wrap(0x0a) // the entry
  wrap(0x22) // the metadata
  return Buffer.concat(heads.toReversed())
}

test('over gRPC they are refused too, and the agent goes on', async () => {
  const client = grpcClient(`localhost:${shared.probe.grpcPort}`)
  const message = requestBytes('SendMessage', { message: userMessage('complete') })
  const sendWith = (levels: number) =>
    rawCall(client, 'SendMessage', Buffer.concat([message, deepMetadata(levels)]))
  expect((await sendWith(90)).error).toBeUndefined()
  await shared.changesNothing(async () => {
    for (const levels of [101, 1000, 200_000]) {
      const { error } = await sendWith(levels)
      expect(error!.code, `${levels} levels: ${error!.details}`).toBe(status.INVALID_ARGUMENT)
      expectNoInsides(error!.details)
    }
  })
})
