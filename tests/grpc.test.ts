// The gRPC binding (§10): the protocol's own service and messages, service parameters in metadata, and the entry in the card.
import { conformance } from '@a2a-kit/conformance'
import { replayExtension } from '@a2a-kit/task-core/protocol'
import { Metadata, status } from '@grpc/grpc-js'
import { describe, expect, test } from 'vitest'
import { detailsOf, grpcClient, metadataOf, rawCall, readReply, requestBytes } from './support/grpc.ts'
import { bindings, startProbe, userMessage } from './support/probe.ts'
import { operations } from './support/raw.ts'
import { expectRefusal } from './support/refusals.ts'
import { shareProbe } from './support/shared-probe.ts'

const shared = shareProbe()
const target = () => `localhost:${shared.probe.grpcPort}`

/** Metadata of exactly these entries. */
const only = (...entries: [name: string, value: string][]) => {
  const metadata = new Metadata()
  for (const [name, value] of entries) metadata.add(name, value)
  return metadata
}

const streams = ['SendStreamingMessage', 'SubscribeToTask']
const unary = operations.map(([name]) => name).filter((name) => !streams.includes(name))

describe('the service', () => {
  test('is lf.a2a.v1.A2AService, and has every operation [GRPC-SVC-001]', async () => {
    for (const operation of unary) {
      const { error } = await rawCall(grpcClient(target()), operation, Buffer.alloc(0))
      // An error of ours has a reason; one of the library, for what it does not know, has none.
      if (error) expect(detailsOf(error)[0], operation).toHaveProperty('reason')
    }
    for (const operation of streams as ['SendStreamingMessage', 'SubscribeToTask']) {
      const opening = shared.probe.stream('GRPC', operation, {})
      await expect(opening).rejects.toMatchObject({ answer: { error: { reason: 'INVALID_PARAMS' } } })
    }
  })

  test('takes and gives the messages by their numbers [GRPC-SVC-002]', async () => {
    // message: {message_id: "m", role: ROLE_USER, parts: [{text: "artifact a b"}]}
    const parts = Buffer.concat([Buffer.from([0x2a, 14, 0x0a, 12]), Buffer.from('artifact a b')])
    const id = crypto.randomUUID()
    const head = Buffer.concat([Buffer.from([0x0a, id.length]), Buffer.from(id), Buffer.from([0x20, 1])])
    const bytes = Buffer.concat([Buffer.from([0x12, head.length + parts.length]), head, parts])
    const { reply } = await rawCall(grpcClient(target()), 'SendMessage', bytes)
    expect(reply![0]).toBe(0x0a) // task
    const { task } = readReply('SendMessage', reply!) as { task: { history: object[] } }
    expect(task).toMatchObject({ status: { state: 'TASK_STATE_COMPLETED' }, artifacts: [{ name: 'a' }] })
    expect(task.history[0]).toMatchObject({ messageId: id, role: 'ROLE_USER' })
  })

  test('gives the same task as the other bindings do [BIND-EQUIV-002]', async () => {
    const message = userMessage('', {
      parts: [{ text: 'working; artifact a b; ask more?' }, { data: { n: [1, null, 'x', { y: 1.5 }] } }],
      metadata: { deep: { list: [{}, []] } },
    })
    const { result } = await shared.probe.call('GRPC', 'SendMessage', { message })
    for (const binding of bindings) {
      const { result: task } = await shared.probe.call(binding, 'GetTask', { id: result.task.id })
      expect(task, binding).toEqual(result.task)
    }
  })

  test('gives the extended card to who may see it', async () => {
    const extended = { skills: [{ id: 'more', name: 'More', description: 'More.', tags: ['x'] }] }
    const callerTokens = { ada: 'a-token-of-sixteen-or-more' }
    const probe = await startProbe({ agent: { ...conformance, extended }, callerTokens })
    const headers = { authorization: `Bearer ${callerTokens.ada}` }
    const [json, grpc] = await Promise.all([
      probe.call('JSONRPC', 'GetExtendedAgentCard', {}, headers),
      probe.call('GRPC', 'GetExtendedAgentCard', {}, headers),
    ])
    expect(grpc.result.skills.at(-1)).toEqual(extended.skills[0])
    expect(grpc.result.skills).toEqual(json.result.skills)
    expect(grpc.result.supportedInterfaces).toEqual(json.result.supportedInterfaces)
    expect(grpc.result.supportedInterfaces).toHaveLength(5)
  })
})

describe('the version', () => {
  const call = (operation: string, metadata: Metadata) => {
    const params = operation.startsWith('Send') ? { message: userMessage('complete') } : {}
    return rawCall(grpcClient(target()), operation, requestBytes(operation, params), { metadata })
  }

  test.each(operations.map(([name]) => name))(
    'VERSION-UNSUPPORTED, VERSION-ABSENT: %s refuses another one, and none, before anything is done',
    async (operation) => {
      await shared.changesNothing(async () => {
        for (const metadata of [
          ...['0.3', '0.5', '2.0', '99.0', 'banana', ''].map((one) => only(['a2a-version', one])),
          only(),
        ]) {
          const { error } = await call(operation, metadata)
          expect(error!.code).toBe(status.FAILED_PRECONDITION)
          expect(error!.details).toContain('A2A-Version: 1.0')
          expect(detailsOf(error!)[0]).toMatchObject({
            reason: 'VERSION_NOT_SUPPORTED',
            metadata: { supportedVersions: '1.0' },
          })
        }
      })
    },
  )

  test.each([[['1.0']], [['1.0.7']], [['1.0', '1.0.2']]])(
    'VERSION-UNSUPPORTED: %j is served',
    async (versions) => {
      const metadata = only(...versions.map((one): [string, string] => ['A2A-Version', one]))
      expect((await call('ListTasks', metadata)).error).toBeUndefined()
    },
  )

  test('VERSION-UNSUPPORTED: two that disagree are refused', async () => {
    const { error } = await call('ListTasks', only(['a2a-version', '1.0'], ['a2a-version', '0.3']))
    expect(detailsOf(error!)[0].reason).toBe('VERSION_NOT_SUPPORTED')
  })
})

describe('EXTENSIONS-REQUIRED: over gRPC', () => {
  const agent = {
    ...conformance,
    extensions: [{ uri: 'urn:needed', required: true }, { uri: 'urn:wanted' }],
  }

  test.each([
    ['one entry', ['urn:needed, urn:wanted,urn:unknown']],
    ['several entries', ['urn:needed', 'urn:wanted', 'urn:unknown']],
    ['both', ['urn:unknown', 'urn:wanted,urn:needed']],
  ])('extensions are activated by %s, and the answer names them [GRPC-META-001]', async (_, values) => {
    const probe = await startProbe({ agent })
    const metadata = metadataOf()
    for (const value of values) metadata.add('A2A-Extensions', value)
    const client = grpcClient(`localhost:${probe.grpcPort}`)
    const { error, metadata: answered } = await rawCall(client, 'ListTasks', Buffer.alloc(0), { metadata })
    expect(error).toBeUndefined()
    expect(answered.get('a2a-extensions')).toEqual(['urn:needed,urn:wanted'])
    const failed = await rawCall(client, 'GetTask', requestBytes('GetTask', { id: 'x' }), { metadata })
    expect(failed.error!.metadata.get('a2a-extensions')).toEqual(['urn:needed,urn:wanted'])
  })

  test('an answer names none where none is active', async () => {
    const { metadata } = await rawCall(grpcClient(target()), 'ListTasks', Buffer.alloc(0))
    expect(metadata.get('a2a-extensions')).toEqual([])
  })

  test('a call without the one that is required is refused', async () => {
    const probe = await startProbe({ agent })
    const { error } = await probe.call('GRPC', 'ListTasks', {}, { 'a2a-extensions': 'urn:wanted' })
    expect(error).toMatchObject({ code: -32008, reason: 'EXTENSION_SUPPORT_REQUIRED' })
    const headers = { 'a2a-extensions': `urn:needed,${replayExtension}` }
    expect((await probe.call('GRPC', 'ListTasks', {}, headers)).error).toBeUndefined()
  })
})

test('who calls is read from the metadata, as from headers, and another caller’s task is none [BIND-EQUIV-004]', async () => {
  const callerTokens = { ada: 'ada-has-a-long-token', bob: 'bob-has-a-long-token' }
  const probe = await startProbe({ callerTokens })
  const as = (token: string) => ({ authorization: `Bearer ${token}` })
  const params = { message: userMessage('complete') }
  const { result } = await probe.call('GRPC', 'SendMessage', params, as(callerTokens.ada))
  const { id } = result.task
  for (const binding of bindings) {
    expect((await probe.call(binding, 'GetTask', { id }, as(callerTokens.ada))).result.id).toBe(id)
    const answer = await probe.call(binding, 'GetTask', { id }, as(callerTokens.bob))
    expectRefusal(answer, binding, 'TASK_NOT_FOUND')
    for (const headers of [undefined, as('somebody-elses-token')]) {
      const refused = await probe.call(binding, 'GetTask', { id }, headers)
      expect(refused.error!.reason).toBe('UNAUTHENTICATED')
      expect(refused.status).toBe(binding === 'GRPC' ? status.UNAUTHENTICATED : 401)
    }
  }
})

test('an error has the same reason, text and fields over every binding [BIND-EQUIV-003]', async () => {
  const { result } = await shared.probe.call('GRPC', 'SendMessage', { message: userMessage('complete') })
  const { id } = result.task
  for (const [operation, params] of [
    ['GetTask', { id: 'unknown' }],
    ['GetTask', { id, historyLength: -1 }],
    ['CancelTask', { id }],
    ['ListTasks', { pageSize: 500, historyLength: -1 }],
    ['SendMessage', {}],
    ['SendMessage', { message: userMessage('late', { taskId: id }) }],
    ['SendMessage', { message: userMessage('', { parts: [{ text: '', mediaType: 'image/png' }] }) }],
  ] as const) {
    const answers = await Promise.all(
      bindings.map((binding) => shared.probe.call(binding, operation, params)),
    )
    const [first, ...others] = answers.map(({ error }) => ({ ...error, code: undefined }))
    expect(first!.reason).toBeTypeOf('string')
    for (const other of others) expect(other).toEqual(first)
  }
})

describe('CARD-URL-REACHABLE: the card', () => {
  const entries = ({ card }: Awaited<ReturnType<typeof startProbe>>) =>
    card.supportedInterfaces
      .filter(({ protocolVersion }) => protocolVersion === '1.0')
      .map(({ url, protocolBinding }) => [protocolBinding, url])

  test('names gRPC last, by a host and a port that answer', async () => {
    for (const host of ['127.0.0.1', '0.0.0.0']) {
      const probe = await startProbe({ host, operators: { anyoneMayApprove: true } })
      expect(entries(probe).at(-1)).toEqual(['GRPC', `localhost:${probe.grpcPort}`])
      expect((await probe.call('GRPC', 'ListTasks', {})).error).toBeUndefined()
    }
  })

  test('names the public host with the port of gRPC, or what is said', async () => {
    const publicUrl = 'https://agents.example/kit'
    const probe = await startProbe({ publicUrl })
    expect(entries(probe).at(-1)).toEqual(['GRPC', `agents.example:${probe.grpcPort}`])
    const grpcPublicUrl = 'grpc.example:443'
    expect(entries(await startProbe({ publicUrl, grpcPublicUrl })).at(-1)).toEqual(['GRPC', grpcPublicUrl])
  })

  test('names no gRPC where there is none', async () => {
    const probe = await startProbe({ grpcPort: undefined })
    expect(entries(probe).map(([binding]) => binding)).toEqual(['JSONRPC', 'HTTP+JSON'])
  })
})

test('a port for gRPC that is taken is an error that says so, and leaves nothing behind', async () => {
  const { grpcPort } = shared.probe
  const starting = startProbe({ grpcPort })
  await expect(starting).rejects.toMatchObject({ code: 'EADDRINUSE', port: grpcPort, variable: 'GRPC_PORT' })
})
