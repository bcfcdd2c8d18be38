// What a client may put into a request: required fields, ProtoJSON in all its forms, and what is refused.
import { describe, expect, test } from 'vitest'
import { isSayable } from './support/grpc.ts'
import { bindings, userMessage } from './support/probe.ts'
import { expectRefusal, jsonWaysToSend, waysToSend } from './support/refusals.ts'
import { send } from './support/send.ts'
import { shareProbe } from './support/shared-probe.ts'

const shared = shareProbe()

/** A message with `part` in place of its text. */
const withPart = (part: unknown) => ({ message: userMessage('', { parts: [part] }) })
const withMessage = (more: object) => ({ message: userMessage('complete', more) })
const withConfiguration = (configuration: unknown) => ({ message: userMessage('complete'), configuration })

const refused: [what: string, params: object, fields: string[]][] = [
  ['no message', {}, ['message']],
  ['a null message', { message: null }, ['message']],
  ['a message that is a text', { message: 'complete' }, ['message']],
  ['a message that is a list', { message: [] }, ['message']],
  ['an empty message', { message: {} }, ['message.messageId', 'message.role', 'message.parts']],
  ['no messageId', withMessage({ messageId: undefined }), ['message.messageId']],
  ['an empty messageId', withMessage({ messageId: '' }), ['message.messageId']],
  ['a messageId that is a number', withMessage({ messageId: 7 }), ['message.messageId']],
  ['no role', withMessage({ role: undefined }), ['message.role']],
  ['ROLE_UNSPECIFIED', withMessage({ role: 'ROLE_UNSPECIFIED' }), ['message.role']],
  ['the role 0', withMessage({ role: 0 }), ['message.role']],
  ['the role of version 0.3', withMessage({ role: 'user' }), ['message.role']],
  ['the role of the agent', withMessage({ role: 'ROLE_AGENT' }), ['message.role']],
  ['a role without a name', withMessage({ role: 3 }), ['message.role']],
  ['a role that is no whole number', withMessage({ role: 1.5 }), ['message.role']],
  ['a role from the prototype', withMessage({ role: 'constructor' }), ['message.role']],
  ['no parts', withMessage({ parts: undefined }), ['message.parts']],
  ['null parts', withMessage({ parts: null }), ['message.parts']],
  ['an empty list of parts', withMessage({ parts: [] }), ['message.parts']],
  ['parts that are no list', withMessage({ parts: { text: 'a' } }), ['message.parts']],
  ['a part that is null', withPart(null), ['message.parts[0]']],
  ['a part that is a text', withPart('complete'), ['message.parts[0]']],
  ['a part without content', withPart({}), ['message.parts[0]']],
  ['a part with a filename alone', withPart({ filename: 'a' }), ['message.parts[0]']],
  ['a part with two contents', withPart({ text: 'a', url: 'b' }), ['message.parts[0]']],
  ['a part with two contents, one of them null', withPart({ text: 'a', data: null }), ['message.parts[0]']],
  ['a part in the form of version 0.3', withPart({ kind: 'file', file: {} }), ['message.parts[0]']],
  ['a text that is a number', withPart({ text: 7 }), ['message.parts[0].text']],
  ['a text with a lone surrogate', withPart({ text: 'a\ud800' }), ['message.parts[0].text']],
  ['raw that is no base64', withPart({ raw: 'a*b=' }), ['message.parts[0].raw']],
  ['raw that lacks a character', withPart({ raw: 'AAAAA' }), ['message.parts[0].raw']],
  ['data with a lone surrogate', withPart({ data: { a: ['\udc00'] } }), ['message.parts[0].data']],
  ['data with a lone surrogate as a key', withPart({ data: { '\udc00': 1 } }), ['message.parts[0].data']],
  ['the second part at fault', withMessage({ parts: [{ text: '' }, {}] }), ['message.parts[1]']],
  ['metadata that is a list', withMessage({ metadata: [] }), ['message.metadata']],
  ['extensions that are no list', withMessage({ extensions: 'a' }), ['message.extensions']],
  ['an extension that is null', withMessage({ extensions: ['a', null] }), ['message.extensions[1]']],
  ['a reference that is a number', withMessage({ referenceTaskIds: [7] }), ['message.referenceTaskIds[0]']],
  ['a taskId that is a number', withMessage({ taskId: 7 }), ['message.taskId']],
  ['a configuration that is a text', withConfiguration('fast'), ['configuration']],
  [
    'returnImmediately as a text',
    withConfiguration({ returnImmediately: 'true' }),
    ['configuration.returnImmediately'],
  ],
  ['a negative historyLength', withConfiguration({ historyLength: -1 }), ['configuration.historyLength']],
  ['a fraction of historyLength', withConfiguration({ historyLength: 1.5 }), ['configuration.historyLength']],
  ['a huge historyLength', withConfiguration({ historyLength: 2 ** 31 }), ['configuration.historyLength']],
  ['metadata of the request as a text', { ...withMessage({}), metadata: 'a' }, ['metadata']],
  [
    'several fields at fault, all named',
    { message: { role: 'x', parts: [{ text: 1 }, {}] }, configuration: { historyLength: 'x' } },
    [
      'message.role',
      'message.parts[0].text',
      'message.parts[1]',
      'message.messageId',
      'configuration.historyLength',
    ],
  ],
]

describe.each(waysToSend)('$operation over $binding', (way) => {
  const { binding, operation } = way
  const call = (params: object) => shared.probe.call(binding, operation, params)
  /** The message as the task keeps it. */
  const kept = async (params: object) => (await send(shared.probe, way, params)).history![0]!

  const sayable = refused.filter(([, params]) => isSayable(binding, operation, params))
  test.each(sayable)('REQUIRED-FIELDS: %s is refused by the name of the field', async (_, params, fields) => {
    await shared.changesNothing(async () => {
      expectRefusal(await call(params), binding, 'INVALID_PARAMS', fields)
    })
  })

  const deep = (levels: number): unknown => (levels === 0 ? 0 : [deep(levels - 1)])
  test.each<[string, unknown]>([
    ['false', false],
    ['zero', 0],
    ['an empty text', ''],
    ['an empty object', {}],
    ['the largest double', Number.MAX_VALUE],
    ['a text with every separator', '\u2028\u2029\u0085\r\n\u0000😀'],
    ['keys of a prototype', JSON.parse('{"__proto__":{"a":1},"constructor":{"prototype":{}},"toString":1}')],
    ['nested a hundred deep with the object around it', deep(99)],
  ])('data is kept as it came: %s', async (_, data) => {
    const params = { message: userMessage('', { parts: [{ data }], metadata: { data: data as object } }) }
    const { parts, metadata } = await kept(params)
    expect(JSON.stringify({ parts, metadata })).toBe(
      JSON.stringify({ parts: [{ data }], metadata: { data } }),
    )
    expect(({} as { a?: number }).a).toBeUndefined()
  })

  test.each([
    ['data', (data: unknown) => withPart({ data }), 'message.parts[0].data'],
    ['metadata', (a: unknown) => withMessage({ metadata: { a } }), 'message.metadata'],
  ])('%s that is nested deeper than a hundred is refused', async (_, params, field) => {
    expectRefusal(await call(params(deep(101))), binding, 'INVALID_PARAMS', [field])
  })

  test.each([
    ['a part of another media type', [{ raw: 'AAAA', mediaType: 'image/png' }], 0],
    [
      'a second part of one',
      [{ text: 'complete' }, { url: 'https://a.example/b', mediaType: 'image/png' }],
      1,
    ],
    ['a text of one', [{ text: '# a', mediaType: 'text/markdown' }], 0],
    ['data of one', [{ data: {}, mediaType: 'application/xml' }], 0],
  ])('CONTENT-TYPE-OF-PARTS: %s is ContentTypeNotSupported [CORE-SEND-003]', async (_, parts, index) => {
    await shared.changesNothing(async () => {
      const answer = await call(withMessage({ parts }))
      expectRefusal(answer, binding, 'CONTENT_TYPE_NOT_SUPPORTED', [`message.parts[${index}].mediaType`])
    })
  })

  test('CONTENT-TYPE-OF-PARTS: the media type counts without its case and its parameters', async () => {
    const parts = [{ text: '', mediaType: 'Text/Plain; charset="utf-8"' }, { raw: 'AAAA' }]
    expect((await kept(withMessage({ parts }))).parts).toEqual(parts)
  })

  test('CONTENT-TYPE-OF-PARTS: the accepted output modes are advice', async () => {
    const configuration = { acceptedOutputModes: ['image/png', ''] }
    const task = await send(shared.probe, way, { message: userMessage('artifact a b'), configuration })
    expect(task.artifacts![0]!.parts).toEqual([{ text: 'b' }])
  })

  test('a push notification config that is at fault is refused, and the message with it', async () => {
    await shared.changesNothing(async () => {
      const faulty = withConfiguration({ taskPushNotificationConfig: {} })
      const fields = ['configuration.taskPushNotificationConfig.url']
      expectRefusal(await call(faulty), binding, 'INVALID_PARAMS', fields)
    })
  })
})

describe.each(jsonWaysToSend)(
  '$operation over $binding: JSON has more than one way to say a thing',
  (way) => {
    const { binding, operation } = way
    const call = (params: object) => shared.probe.call(binding, operation, params)
    const kept = async (params: object) => (await send(shared.probe, way, params)).history![0]!

    test('a request with very many faults is answered with the first of them', async () => {
      const { error } = await call(withMessage({ parts: Array(100_000).fill(0) }))
      expect(error!.fields).toHaveLength(20)
      expect(error!.fields[0]).toBe('message.parts[0]')
    })

    test('REQUIRED-FIELDS: unknown fields are ignored at every level, also those of a prototype', async () => {
      const odd = { foo: 1, kind: 'message', toString: 'x', hasOwnProperty: 1, constructor: { name: 1 } }
      const message = userMessage('', { ...odd, parts: [{ text: 'complete', ...odd }] })
      const history = await kept({ ...odd, message, configuration: { ...odd, blocking: true } })
      const { contextId, taskId } = history
      expect(history).toEqual({
        messageId: message.messageId,
        contextId,
        taskId,
        role: 'ROLE_USER',
        parts: [{ text: 'complete' }],
      })
    })

    test('every field may come by its proto name, and goes out in camelCase', async () => {
      const { messageId: message_id } = userMessage('')
      const parts = [{ text: 'complete', media_type: 'text/plain' }]
      const message = { message_id, context_id: message_id, role: 1, parts, reference_task_ids: ['a'] }
      const history = await kept({ message, configuration: { history_length: 1, return_immediately: false } })
      expect(history).toEqual({
        messageId: message_id,
        contextId: message_id,
        taskId: history.taskId,
        role: 'ROLE_USER',
        parts: [{ text: 'complete', mediaType: 'text/plain' }],
        referenceTaskIds: ['a'],
      })
    })

    test('null is an absent field, except as the value of data', async () => {
      const none = { contextId: null, taskId: null, metadata: null, extensions: null, referenceTaskIds: null }
      const parts = [{ data: null, text: null, raw: null, url: null, metadata: null, mediaType: null }]
      const message = userMessage('', { ...none, parts })
      const history = await kept({ message, configuration: null, metadata: null })
      expect(Object.keys(history)).toEqual(['messageId', 'contextId', 'taskId', 'role', 'parts'])
      expect(history.parts).toEqual([{ data: null }])
    })

    test.each([
      ['base64', '+/+/', '+/+/'],
      ['base64url', '-_-_', '+/+/'],
      ['without its padding', 'QQ', 'QQ=='],
      ['with its padding', 'QUI=', 'QUI='],
      ['nothing', '', ''],
    ])('raw bytes are read in either alphabet: %s', async (_, raw, normal) => {
      expect((await kept(withPart({ raw }))).parts).toEqual([{ raw: normal }])
    })

    test('raw bytes that are no base64 are refused in no time, however many', async () => {
      const answer = await call(withPart({ raw: `${'='.repeat(500_000)}A` }))
      expectRefusal(answer, binding, 'INVALID_PARAMS', ['message.parts[0].raw'])
    })
  },
)

describe.each(bindings)('over %s', (binding) => {
  const all = [
    ['GetTask', {}, 'TASK_NOT_FOUND'],
    ['CancelTask', {}, 'TASK_NOT_FOUND'],
    ['SubscribeToTask', {}, 'TASK_NOT_FOUND'],
    ['GetTask', { historyLength: -1 }, 'INVALID_PARAMS'],
    ['GetTask', { historyLength: 1.5 }, 'INVALID_PARAMS'],
    ['GetTask', { historyLength: 'x' }, 'INVALID_PARAMS'],
    ['GetTask', { historyLength: 2 ** 31 }, 'INVALID_PARAMS'],
    ['GetTask', { historyLength: '' }, 'INVALID_PARAMS'],
  ] as const
  const sayable = all.filter(([operation, more]) => isSayable(binding, operation, more))
  test.each(sayable)('%s of an unknown task with %o is %s', async (operation, more, reason) => {
    const answer = await shared.probe.call(binding, operation, { id: 'unknown', ...more })
    expectRefusal(answer, binding, reason, reason === 'INVALID_PARAMS' ? ['historyLength'] : [])
  })
})

test.each(['GetTask', 'CancelTask', 'SubscribeToTask'])(
  'JSON-RPC names the id that %s lacks',
  async (operation) => {
    for (const params of [{}, { id: '' }, { id: null }, { id: 7 }, { name: 'tasks/1' }]) {
      expectRefusal(await shared.probe.call('JSONRPC', operation, params), 'JSONRPC', 'INVALID_PARAMS', [
        'id',
      ])
    }
  },
)
