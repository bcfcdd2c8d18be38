// One agent behind several bindings (§5): declared, and equivalent in what they give and what they refuse.
import { conformance } from '@a2a-kit/conformance'
import { errorTable } from '@a2a-kit/task-core/protocol'
import { describe, expect, test } from 'vitest'
import { type Binding, bindings, startProbe, talkTo, userMessage } from './support/probe.ts'
import { json } from './support/raw.ts'
import { expectRefusal, type Reason } from './support/refusals.ts'
import { shareProbe } from './support/shared-probe.ts'
import { allFrames } from './support/sse.ts'

const shared = shareProbe()
const jsonOnes = ['JSONRPC', 'HTTP+JSON'] as const

/** `value` without what is different for every task: ids and times. */
const plain = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (name, inner) =>
      /^(id|taskId|contextId|messageId|artifactId|timestamp)$/.test(name) ? typeof inner : inner,
    ),
  )

describe('equivalence', () => {
  test('every binding that is served is declared in the card, at the address where it is served [BIND-FIELD-001] [CARD-PROTO-001] [CARD-PROTO-002]', async () => {
    const { probe } = shared
    const response = await fetch(`${probe.url}/.well-known/agent-card.json`, { headers: json })
    const { supportedInterfaces } = (await response.json()) as typeof probe.card
    const names = supportedInterfaces.map(({ protocolBinding }) => protocolBinding)
    expect(new Set(names)).toEqual(new Set(bindings))
    for (const binding of jsonOnes) {
      const { url, protocolVersion } = supportedInterfaces.find((one) => one.protocolBinding === binding)!
      expect(protocolVersion).toBe('1.0')
      expect((await talkTo(url).call(binding, 'ListTasks', {})).result.tasks).toBeInstanceOf(Array)
    }
  })

  test('the same requests give the same results over each, but for ids and times [BIND-EQUIV-002]', async () => {
    const { probe } = shared
    const over = async (binding: Binding) => {
      const call = async (operation: string, params: object) => {
        const { result, error } = await probe.call(binding, operation, params)
        if (error) throw new Error(error.message)
        return result
      }
      const send = (text: string, more: object = {}) =>
        call('SendMessage', { message: userMessage(text, more) })
      const { task } = await send('working; artifact a b; data c {"d":[1,null]}; ask What?')
      const answer = { message: userMessage('this', { taskId: task.id, metadata: { a: 1 } }) }
      const stream = await probe.stream(binding, 'SendStreamingMessage', answer)
      const waiting = await send('authorize cleanup')
      return plain([
        task,
        await allFrames(stream),
        await call('GetTask', { id: task.id, historyLength: 2 }),
        await call('ListTasks', { contextId: task.contextId, includeArtifacts: true }),
        await send('fail no'),
        await send('reply Hello.'),
        (await call('CancelTask', { id: waiting.task.id })).status,
      ])
    }
    const [first, ...others] = await Promise.all(bindings.map(over))
    for (const other of others) expect(other).toEqual(first)
  })

  test('the same task is the same over each, whoever made it [BIND-EQUIV-002]', async () => {
    const { probe } = shared
    for (const maker of bindings) {
      const message = userMessage('artifact a b; ask What?')
      const { result } = await probe.call(maker, 'SendMessage', { message })
      for (const binding of bindings) {
        const { result: seen } = await probe.call(binding, 'GetTask', { id: result.task.id })
        expect(seen).toEqual(result.task)
      }
    }
  })

  test.each(bindings)(
    'over %s the same mistakes are the same errors, in its own codes [BIND-EQUIV-003]',
    async (binding) => {
      const { probe } = shared
      const made = async (text: string) =>
        (await probe.call(binding, 'SendMessage', { message: userMessage(text) })).result.task.id
      const id = await made('complete')
      const image = { parts: [{ raw: 'AAAA', mediaType: 'image/png' }] }
      const mistakes: [string, object, Reason, string[]?][] = [
        ['GetTask', { id: 'none' }, 'TASK_NOT_FOUND'],
        ['CancelTask', { id }, 'TASK_NOT_CANCELABLE'],
        ['SubscribeToTask', { id }, 'UNSUPPORTED_OPERATION'],
        ['SendMessage', { message: userMessage('again', { taskId: id }) }, 'UNSUPPORTED_OPERATION'],
        ['SendMessage', { message: userMessage('again', { taskId: 'none' }) }, 'TASK_NOT_FOUND'],
        [
          'SendMessage',
          { message: userMessage('', image) },
          'CONTENT_TYPE_NOT_SUPPORTED',
          ['message.parts[0].mediaType'],
        ],
        ['SendMessage', {}, 'INVALID_PARAMS', ['message']],
        ['ListTasks', { pageSize: 101 }, 'INVALID_PARAMS', ['pageSize']],
        ['GetExtendedAgentCard', {}, 'UNSUPPORTED_OPERATION'],
      ]
      for (const [operation, params, reason, fields] of mistakes) {
        expectRefusal(await probe.call(binding, operation, params), binding, reason, fields)
      }
      const version = { 'A2A-Version': '99.0' }
      expectRefusal(await probe.call(binding, 'ListTasks', {}, version), binding, 'VERSION_NOT_SUPPORTED')
    },
  )
})

test('each error of A2A has the codes of the specification, those of JSON-RPC from -32099 to -32001 [JSONRPC-ERR-002] [JSONRPC-SSE-002] [HTTP_JSON-STATUS-001]', async () => {
  // §5.4.
  const specified = {
    TaskNotFoundError: [-32001, 404],
    TaskNotCancelableError: [-32002, 400],
    PushNotificationNotSupportedError: [-32003, 400],
    UnsupportedOperationError: [-32004, 400],
    ContentTypeNotSupportedError: [-32005, 400],
    InvalidAgentResponseError: [-32006, 500],
    ExtendedAgentCardNotConfiguredError: [-32007, 400],
    ExtensionSupportRequiredError: [-32008, 400],
    VersionNotSupportedError: [-32009, 400],
  } as const
  for (const [name, codes] of Object.entries(specified)) {
    const { code, http } = errorTable[name as keyof typeof specified]
    expect([name, code, http]).toEqual([name, ...codes])
  }
  // On the wire; InvalidAgentResponseError is what a client says of an answer, and no agent of this kit answers it.
  const agent = { ...conformance, extensions: [{ uri: 'urn:test:needed', required: true }] }
  const demanding = await startProbe({ agent })
  const poor = await startProbe({ capabilities: { pushNotifications: false, extendedAgentCard: true } })
  const made = await shared.probe.call('JSONRPC', 'SendMessage', { message: userMessage('complete') })
  const { id } = made.result.task
  const image = userMessage('', { parts: [{ raw: 'AAAA', mediaType: 'image/png' }] })
  const config = { taskPushNotificationConfig: { url: 'https://example.com/hook' } }
  const { probe } = shared
  for (const [name, at, operation, params, headers] of [
    ['TaskNotFoundError', probe, 'GetTask', { id: 'none' }],
    ['TaskNotCancelableError', probe, 'CancelTask', { id }],
    [
      'PushNotificationNotSupportedError',
      poor,
      'SendMessage',
      { message: userMessage('complete'), configuration: config },
    ],
    ['UnsupportedOperationError', probe, 'SubscribeToTask', { id }],
    ['ContentTypeNotSupportedError', probe, 'SendMessage', { message: image }],
    ['ExtendedAgentCardNotConfiguredError', poor, 'GetExtendedAgentCard', {}],
    ['ExtensionSupportRequiredError', demanding, 'ListTasks', {}],
    ['VersionNotSupportedError', probe, 'ListTasks', {}, { 'A2A-Version': '99.0' }],
  ] as const) {
    const [code, http] = specified[name]
    const rpc = await at.call('JSONRPC', operation, params, headers)
    expect([name, rpc.error?.code, rpc.status]).toEqual([name, code, 200])
    const rest = await at.call('HTTP+JSON', operation, params, headers)
    expect([name, rest.error?.code, rest.status]).toEqual([name, http, http])
    for (const { error } of [rpc, rest]) expect(error!.reason).toBe(errorTable[name].reason)
  }
})
