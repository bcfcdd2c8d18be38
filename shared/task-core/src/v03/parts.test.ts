// Messages and parts go to 0.3 and come back: what 0.3 can say is kept, and what it cannot is said otherwise.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json, Message, Part, Struct } from '../protocol/index.ts'
import { parseRequest, requestSchemas } from '../protocol/index.ts'
import { readMessage, readProtoSend, readSend } from './requests.ts'
import { jsonShape, protoShape } from './shape.ts'

const word = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' })
const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>
const object = fc.dictionary(word, json, { minKeys: 1, maxKeys: 4 }) as fc.Arbitrary<Struct>
const metadata = fc.option(object, { nil: undefined })
const base64 = fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes).toString('base64'))
const optional = <T>(from: fc.Arbitrary<T>) => fc.option(from, { nil: undefined })

/** Without the members that are undefined, as JSON has it. */
const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value))

const file = fc.record({ mediaType: optional(word), filename: optional(word), metadata })
const parts = fc.oneof(
  fc.record({ text: fc.string({ unit: 'grapheme' }), metadata }),
  fc.tuple(base64, file).map(([raw, rest]) => ({ raw, ...rest })),
  fc.tuple(fc.webUrl(), file).map(([url, rest]) => ({ url, ...rest })),
  fc.record({ data: json, metadata }),
) as fc.Arbitrary<Part>

const messages = fc.record({
  messageId: word,
  contextId: optional(fc.uuid()),
  taskId: optional(fc.uuid()),
  role: fc.constantFrom('ROLE_USER', 'ROLE_AGENT'),
  parts: fc.array(parts, { minLength: 1, maxLength: 4 }),
  metadata,
  extensions: optional(fc.array(fc.webUrl(), { minLength: 1, maxLength: 2 })),
  referenceTaskIds: optional(fc.array(fc.uuid(), { minLength: 1, maxLength: 2 })),
}) as fc.Arbitrary<Message>

describe('a message of 1.0 that goes to 0.3 and comes back', () => {
  test('is the same through JSON', () => {
    fc.assert(
      fc.property(messages.map(plain), (message) => {
        expect(plain(readMessage(plain(jsonShape.message(message))))).toMatchObject(message)
      }),
    )
  })

  test('is the same through ProtoJSON, but for what its proto has no place for', () => {
    const poorer = ({ metadata: _, filename: __, ...part }: Part): Part =>
      part.data === undefined || isObject(part.data) ? part : { data: { value: part.data } }
    fc.assert(
      fc.property(messages.map(plain), ({ referenceTaskIds: _, ...message }) => {
        const sent = plain(protoShape.message(message))
        const back = plain(readMessage(sent)) as Message
        expect(back).toEqual(plain({ ...message, parts: message.parts.map(poorer) }))
      }),
    )
  })

  test('is one that the operations take, in either shape', () => {
    fc.assert(
      fc.property(messages.map(plain), (message) => {
        const said: Message = { ...message, role: 'ROLE_USER' }
        for (const [shape, read] of [
          [jsonShape, readSend],
          [protoShape, readProtoSend],
        ] as const) {
          const request = parseRequest(requestSchemas.SendMessage, read({ message: shape.message(said) }))
          expect(request.message.parts).toHaveLength(said.parts.length)
        }
      }),
    )
  })
})

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)

describe('a part', () => {
  const toJson = (part: Part) => jsonShape.message({ messageId: 'm', role: 'ROLE_USER', parts: [part] }).parts
  const toProto = (part: Part) =>
    protoShape.message({ messageId: 'm', role: 'ROLE_USER', parts: [part] }).content

  test.each<[string, Part, object, object]>([
    ['text', { text: 'hi' }, { kind: 'text', text: 'hi' }, { text: 'hi' }],
    ['empty text', { text: '' }, { kind: 'text', text: '' }, { text: '' }],
    [
      'bytes',
      { raw: 'aGk=', mediaType: 'image/png', filename: 'a.png' },
      { kind: 'file', file: { bytes: 'aGk=', mimeType: 'image/png', name: 'a.png' } },
      { file: { fileWithBytes: 'aGk=', mimeType: 'image/png' } },
    ],
    [
      'an address',
      { url: 'https://example.com/a' },
      { kind: 'file', file: { uri: 'https://example.com/a' } },
      { file: { fileWithUri: 'https://example.com/a' } },
    ],
    [
      'an object',
      { data: { a: 1 }, metadata: { b: 2 } },
      { kind: 'data', data: { a: 1 }, metadata: { b: 2 } },
      { data: { data: { a: 1 } } },
    ],
    [
      'null',
      { data: null },
      { kind: 'data', data: { value: null }, metadata: { data_part_compat: true } },
      { data: { data: { value: null } } },
    ],
    [
      'a list with metadata',
      { data: [1], metadata: { b: 2 } },
      { kind: 'data', data: { value: [1] }, metadata: { b: 2, data_part_compat: true } },
      { data: { data: { value: [1] } } },
    ],
  ])('of %s is what 0.3 has for it', (_, part, asJson, asProto) => {
    expect(toJson(part)).toEqual([asJson])
    expect(toProto(part)).toEqual([asProto])
  })

  test('of data with the mark of a value is that value, in either shape', () => {
    const [data, metadata] = [{ value: [1] }, { data_part_compat: true, b: 2 }]
    const parts = [
      { kind: 'data', data, metadata },
      { data: { data }, metadata },
      { data, metadata },
    ]
    const read = readMessage({ messageId: 'm', role: 'user', parts }) as { parts: unknown[] }
    expect(read.parts).toEqual(Array(3).fill({ data: [1], metadata: { b: 2 } }))
  })

  test('of data that is a value and no object is refused, as 0.3 has it', () => {
    const message = {
      messageId: 'm',
      role: 'user',
      parts: [
        { kind: 'text', text: 'a' },
        { kind: 'data', data: 5 },
      ],
    }
    expect(() => readMessage(message)).toThrow('message.parts[1].data must be an object')
  })

  test.each([
    {},
    { kind: 'text' },
    { kind: 'file' },
    { kind: 'file', file: {} },
    { kind: 'banana' },
    null,
    5,
  ])('as %j is left for the check of the request to refuse', (part) => {
    const request = readSend({ message: { messageId: 'm', role: 'user', parts: [part] } })
    expect(() => parseRequest(requestSchemas.SendMessage, request)).toThrow('message.parts[0]')
  })
})
