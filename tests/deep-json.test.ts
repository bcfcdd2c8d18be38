// Requests of 4 MB that are nothing but depth: refused, or passed over where nobody reads them, and the agent goes on.
import { describe, expect, test } from 'vitest'
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
  arrays: '['.repeat(1_990_000) + ']'.repeat(1_990_000),
  objects: `${'{"a":'.repeat(650_000)}0${'}'.repeat(650_000)}`,
  'arrays that do not end': '['.repeat(4_000_000),
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
    const unknown = `,"unknown":${depths.arrays.slice(10_000, -10_000)}`
    const fields = `${message('[{"kind":"text","text":"complete"}]', '')}${unknown}`
    const answer = await raw(`${shared.probe.url}/a2a${path}`, {
      method: 'POST',
      headers,
      body: body(fields),
    })
    expect(answer.text).toMatch(/completed/i)
  })
})
