// Whatever JSON is sent: it is read into a normal form, or refused with the fields at fault, and nothing else happens.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { A2AError } from './errors.ts'
import { parseRequest, requestSchemas } from './requests.ts'
import { taskStates } from './states.ts'

const names = [
  ...[
    'id',
    'taskId',
    'task_id',
    'contextId',
    'message',
    'messageId',
    'message_id',
    'role',
    'parts',
    'text',
    'raw',
  ],
  ...[
    'url',
    'data',
    'metadata',
    'filename',
    'mediaType',
    'configuration',
    'historyLength',
    'returnImmediately',
  ],
  ...['taskPushNotificationConfig', 'authentication', 'scheme', 'credentials', 'token', 'status', 'pageSize'],
  ...['pageToken', 'statusTimestampAfter', 'includeArtifacts', 'tenant', 'extensions', 'referenceTaskIds'],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'toJSON', ''],
]

/** JSON in which the protocol's own names stand often enough that something is read. */
const { value: anyJson } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    fc.constantFrom(null, true, false, 0, -0, 1, -1, 2 ** 31, 2 ** 53, Number.POSITIVE_INFINITY, 0.5),
    fc.constantFrom(
      'ROLE_USER',
      'ROLE_AGENT',
      '2026-10-06T09:00:00Z',
      'https://x.example/',
      'Bearer',
      'aGk=',
      '\ud800',
    ),
    fc.constantFrom(...taskStates),
    fc.string({ unit: 'binary' }),
    fc.array(tie('value'), { maxLength: 4 }),
    // Parsed from text, as it comes in: so that a key may be __proto__.
    fc
      .array(fc.tuple(fc.constantFrom(...names), tie('value')), { maxLength: 6 })
      .map((members) => Object.fromEntries(members.map(([name, value]) => [name, value]))),
  ),
}))

/** A message that is right but for some of its fields. */
const nearlyRight = fc
  .record({
    field: fc.constantFrom(...names),
    value: fc.oneof(anyJson, fc.constant('\ud800')),
    part: fc.constantFrom(...names),
    inner: anyJson,
  })
  .map(({ field, value, part, inner }) => ({
    message: {
      ...{
        messageId: 'm',
        role: 'ROLE_USER',
        parts: [
          Object.fromEntries([
            ['text', 'hi'],
            [part, inner],
          ]),
        ],
      },
      ...Object.fromEntries([[field, value]]),
    },
  }))

test.each(Object.entries(requestSchemas))(
  'whatever is sent as %s is read, or refused with the fields at fault, and reading it again changes nothing',
  (_, schema) => {
    const before = Object.getOwnPropertyNames(Object.prototype)
    fc.assert(
      fc.property(fc.oneof(anyJson, nearlyRight), (sent) => {
        const copy = structuredClone(sent)
        try {
          const read = parseRequest<unknown>(schema, sent)
          expect(parseRequest<unknown>(schema, read)).toEqual(read)
          // What is stored can be written, and says the same when it is read back.
          const text = JSON.stringify(read)
          expect(text).not.toMatch(/\\ud[89a-f]/) // half a character, which JSON alone can say
          expect(parseRequest<unknown>(schema, JSON.parse(text))).toEqual(JSON.parse(text))
        } catch (error) {
          if (!(error instanceof A2AError)) throw error
          expect(error.name).toBe('InvalidParamsError')
          expect(error.violations.length).toBeGreaterThan(0)
          expect(error.violations.length).toBeLessThanOrEqual(20)
        }
        expect(sent).toEqual(copy)
      }),
    )
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before)
    expect({}).toEqual(Object.create(Object.prototype))
  },
)
