// Errors over gRPC (§10.6): the status of each, ErrorInfo and BadRequest in the trailers, and what cannot be read at all.
import { conformance } from '@a2a-kit/conformance'
import type { Agent, AgentOptions } from '@a2a-kit/task-core'
import { A2AError, type ErrorName, errorTable } from '@a2a-kit/task-core/protocol'
import { type ServiceError, status } from '@grpc/grpc-js'
import { describe, expect, test } from 'vitest'
import { detailsOf, grpcClient, metadataOf, rawCall, requestBytes } from './support/grpc.ts'
import { startProbe, userMessage } from './support/probe.ts'
import { expectNoInsides } from './support/refusals.ts'

/** An agent whose `reply` throws the error that the message names. */
const refusing: Agent = {
  ...conformance,
  reply({ parts }) {
    const name = parts[0]!.text as ErrorName
    throw new A2AError(name, `This is ${name}.`, { metadata: { where: 'here' } })
  },
}

const openTo = async (options: Partial<AgentOptions> & { agent?: Agent } = {}) =>
  grpcClient(`localhost:${(await startProbe(options)).grpcPort}`)

/** The error of a call. */
async function errorOf(...args: Parameters<typeof rawCall>): Promise<ServiceError> {
  const { error } = await rawCall(...args)
  expect(error, 'an error').toBeDefined()
  return error!
}

const names = Object.keys(errorTable) as ErrorName[]
const in100: Partial<Record<ErrorName, number>> = {
  VersionNotSupportedError: status.UNIMPLEMENTED,
  UnsupportedOperationError: status.UNIMPLEMENTED,
  PushNotificationNotSupportedError: status.UNIMPLEMENTED,
}

describe.each(['1.0.1', '1.0.0'] as const)('with the statuses of %s', (grpcStatuses) => {
  test('GRPC-ERRORINFO: every error has its status, its text, and its reason in an ErrorInfo [GRPC-ERR-001]', async () => {
    const client = await openTo({ agent: refusing, settings: { grpcStatuses } })
    for (const name of names) {
      const bytes = requestBytes('SendMessage', { message: userMessage(name) })
      const error = await errorOf(client, 'SendMessage', bytes)
      const { grpc, reason } = errorTable[name]
      expect(error.code, name).toBe((grpcStatuses === '1.0.0' && in100[name]) || status[grpc])
      expect(error.details).toBe(`This is ${name}.`)
      expect(detailsOf(error)).toEqual([
        {
          '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
          reason,
          domain: 'a2a-protocol.org',
          metadata: { where: 'here' },
        },
      ])
    }
  })
})

/** What leads to each error of §5.4 that this kit has: the agent, the operation, its parameters and its metadata. */
const ways: [ErrorName, number, Partial<AgentOptions> & { agent?: Agent }, string, object, object?][] = [
  ['TaskNotFoundError', status.NOT_FOUND, {}, 'GetTask', { id: 'unknown' }],
  [
    'PushNotificationNotSupportedError',
    status.FAILED_PRECONDITION,
    { capabilities: { pushNotifications: false } },
    'GetTaskPushNotificationConfig',
    {},
  ],
  ['UnsupportedOperationError', status.FAILED_PRECONDITION, {}, 'GetExtendedAgentCard', {}],
  [
    'ContentTypeNotSupportedError',
    status.INVALID_ARGUMENT,
    {},
    'SendMessage',
    { message: userMessage('', { parts: [{ raw: 'AAAA', mediaType: 'image/png' }] }) },
  ],
  [
    'ExtendedAgentCardNotConfiguredError',
    status.FAILED_PRECONDITION,
    { capabilities: { extendedAgentCard: true } },
    'GetExtendedAgentCard',
    {},
  ],
  [
    'ExtensionSupportRequiredError',
    status.FAILED_PRECONDITION,
    { agent: { ...conformance, extensions: [{ uri: 'urn:needed', required: true }] } },
    'ListTasks',
    {},
  ],
  ['VersionNotSupportedError', status.FAILED_PRECONDITION, {}, 'ListTasks', {}, { 'a2a-version': '99.0' }],
  [
    'UnauthenticatedError',
    status.UNAUTHENTICATED,
    { callerTokens: { ada: 'a-token-of-sixteen-or-more' } },
    'ListTasks',
    {},
  ],
]

test.each(ways)(
  'GRPC-ERRORINFO: %s is told where it happens [GRPC-ERR-002]',
  async (name, code, options, operation, params, more) => {
    const client = await openTo(options)
    const metadata = metadataOf()
    for (const [key, value] of Object.entries(more ?? {})) metadata.set(key, value)
    const error = await errorOf(client, operation, requestBytes(operation, params), { metadata })
    expect(error.code).toBe(code)
    expect(detailsOf(error)[0]).toMatchObject({ reason: errorTable[name].reason, domain: 'a2a-protocol.org' })
  },
)

test('CANCEL-CODES, GRPC-ERRORINFO: a task that has ended cannot be canceled', async () => {
  const probe = await startProbe()
  const { result } = await probe.call('GRPC', 'SendMessage', { message: userMessage('complete') })
  const client = grpcClient(`localhost:${probe.grpcPort}`)
  const error = await errorOf(client, 'CancelTask', requestBytes('CancelTask', { id: result.task.id }))
  expect([error.code, detailsOf(error)[0].reason]).toEqual([
    status.FAILED_PRECONDITION,
    'TASK_NOT_CANCELABLE',
  ])
})

test('every field at fault is named in a BadRequest', async () => {
  const client = await openTo()
  const error = await errorOf(client, 'SendMessage', requestBytes('SendMessage', { message: { role: 1 } }))
  expect(error.code).toBe(status.INVALID_ARGUMENT)
  expect(detailsOf(error)[1]).toEqual({
    '@type': 'type.googleapis.com/google.rpc.BadRequest',
    fieldViolations: [
      { field: 'message.messageId', description: 'is required' },
      { field: 'message.parts', description: 'is required' },
    ],
  })
})

test('an error that would echo a long field is told without it, so that its trailers arrive', async () => {
  const client = await openTo({ agent: refusing })
  for (const id of ['x'.repeat(100_000), '\u{1f600}'.repeat(40_000)]) {
    const error = await errorOf(client, 'GetTask', requestBytes('GetTask', { id }))
    expect(error.code).toBe(status.NOT_FOUND)
    expect(detailsOf(error)).toEqual([expect.objectContaining({ reason: 'TASK_NOT_FOUND' })])
  }
})

test('a long text is cut where its trailers would not arrive, and at a whole character', async () => {
  const agent: Agent = {
    ...conformance,
    reply({ parts }) {
      throw new A2AError('InvalidParamsError', parts[0]!.text!)
    },
  }
  const client = await openTo({ agent })
  for (const [text, least] of [
    ['x'.repeat(600), 600],
    ['x'.repeat(100_000), 1000],
    ['\u4e2d'.repeat(5000), 150],
    [`x${'\u{1f600}'.repeat(5000)}`, 150],
  ] as const) {
    const bytes = requestBytes('SendMessage', { message: userMessage(text) })
    const { code, details } = await errorOf(client, 'SendMessage', bytes)
    expect(code).toBe(status.INVALID_ARGUMENT)
    expect(text.startsWith(details.replace(/\ufffd$/, ''))).toBe(true)
    expect(details.length).toBeGreaterThanOrEqual(least)
    expect(encodeURI(details).length).toBeLessThanOrEqual(2000)
  }
})

test('a bug of the agent is INTERNAL, and nothing of it is told', async () => {
  const agent: Agent = {
    ...conformance,
    reply() {
      throw new Error('cannot read /home/secret.txt')
    },
  }
  const client = await openTo({ agent })
  const bytes = requestBytes('SendMessage', { message: userMessage('complete') })
  const error = await errorOf(client, 'SendMessage', bytes)
  expect([error.code, detailsOf(error)[0].reason]).toEqual([status.INTERNAL, 'INTERNAL_ERROR'])
  expect(error.details).not.toContain('secret')
  expectNoInsides(error.details)
})

/** `metadata: {a: NaN}` of SendMessageRequest. */
const notANumber = Buffer.from('22100a0e0a0161120911000000000000f87f', 'hex')

test.each([
  ['that end too early', Buffer.from([0x0a, 200, 1]), /premature/],
  ['that are no UTF-8', Buffer.from([0x0a, 2, 0xff, 0xfe]), /utf-8/],
  ['that are text', Buffer.from('{"message":{}}'), /SendMessageRequest/],
  ['with a number in metadata that is none', notANumber, /NaN/],
])('a message of bytes %s is INVALID_ARGUMENT, and the agent goes on', async (_, bytes, why) => {
  const client = await openTo()
  const error = await errorOf(client, 'SendMessage', bytes)
  expect([error.code, detailsOf(error)[0].reason]).toEqual([status.INVALID_ARGUMENT, 'PARSE_ERROR'])
  expect(error.details).toMatch(why)
  expectNoInsides(error.details)
  expect((await rawCall(client, 'ListTasks', Buffer.alloc(0))).error).toBeUndefined()
})

test('a time that no calendar has is INVALID_ARGUMENT', async () => {
  const client = await openTo()
  const bytes = Buffer.from([0x3a, 7, 0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f])
  expect((await errorOf(client, 'ListTasks', bytes)).code).toBe(status.INVALID_ARGUMENT)
})

test('a message that is too large is RESOURCE_EXHAUSTED, and the agent goes on', async () => {
  const client = await openTo({ settings: { maxBody: 2048 } })
  const bytes = requestBytes('SendMessage', { message: userMessage('x'.repeat(2048)) })
  expect((await errorOf(client, 'SendMessage', bytes)).code).toBe(status.RESOURCE_EXHAUSTED)
  const small = requestBytes('SendMessage', { message: userMessage('complete') })
  expect((await rawCall(client, 'SendMessage', small)).error).toBeUndefined()
})
