// Whatever bytes come over gRPC are refused as the client's fault or answered; whatever JSON was taken, gRPC can tell.
import { status } from '@grpc/grpc-js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { grpcClient, rawCall, requestBytes } from './support/grpc.ts'
import { userMessage } from './support/probe.ts'
import { shareProbe } from './support/shared-probe.ts'

const shared = shareProbe()

/** What says that the agent failed. */
const failures: number[] = [status.INTERNAL, status.UNKNOWN, status.DATA_LOSS, status.ABORTED]

const operations = [
  ...['SendMessage', 'GetTask', 'ListTasks', 'CancelTask', 'CreateTaskPushNotificationConfig'],
  ...['GetTaskPushNotificationConfig', 'ListTaskPushNotificationConfigs', 'DeleteTaskPushNotificationConfig'],
]

test('whatever bytes come as a request, the agent does not fail, and a request that is refused makes no task', async () => {
  const { probe } = shared
  const client = grpcClient(`localhost:${probe.grpcPort}`)
  const good = requestBytes('SendMessage', {
    message: {
      messageId: 'm',
      role: 'ROLE_USER',
      parts: [{ text: 'ask' }, { data: { a: [1, { b: null }] } }],
      metadata: { c: 'd' },
    },
    configuration: { historyLength: 1 },
  })
  const spoiled = fc
    .record({ at: fc.nat(), bytes: fc.uint8Array({ maxLength: 5 }), gone: fc.nat(5) })
    .map(({ at, bytes, gone }) => {
      const cut = at % good.length
      return Buffer.concat([good.subarray(0, cut), bytes, good.subarray(cut + gone)])
    })
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 40 }).map((all) => Buffer.from(all)),
    spoiled,
  )
  const count = async () =>
    (await probe.call('JSONRPC', 'ListTasks', { pageSize: 1 })).result.totalSize as number
  const before = await count()
  let taken = 0
  const one = fc.tuple(fc.constantFrom(...operations), bytes)
  await fc.assert(
    fc.asyncProperty(fc.array(one, { minLength: 8, maxLength: 8 }), async (requests) => {
      const replies = await Promise.all(
        requests.map(([operation, request]) => rawCall(client, operation, request)),
      )
      for (const { error } of replies) expect(failures).not.toContain(error?.code)
      taken += replies.filter(({ error }) => !error).length
    }),
    { numRuns: 25 },
  )
  expect((await count()) - before).toBeLessThanOrEqual(taken)
})

test('whatever JSON a message brings, if it is taken, it is told over gRPC as over JSON', async () => {
  const { probe } = shared
  const key = fc.oneof(
    fc.constantFrom('__proto__', 'constructor', 'toString', '', '\u0000', '@type', 'a'),
    fc.string({ unit: 'binary' }),
  )
  const { value: anyJson } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.constantFrom(null, true, 0, -0, 1e308, 5e-324, 2 ** 53 + 2, -1.5, '', '\u0000', '😀', '\u2028'),
      fc.string({ unit: 'grapheme' }),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.array(fc.tuple(key, tie('value')), { maxLength: 3 }).map((members) => Object.fromEntries(members)),
    ),
  }))
  const object = fc
    .array(fc.tuple(key, anyJson), { maxLength: 3 })
    .map((members) => Object.fromEntries(members))
  await fc.assert(
    fc.asyncProperty(anyJson, object, async (data, metadata) => {
      const message = userMessage('echo', { parts: [{ text: 'echo' }, { data }], metadata })
      const sent = await probe.call('JSONRPC', 'SendMessage', { message })
      if (sent.error) {
        expect(sent.error.reason).toBe('INVALID_PARAMS')
        return
      }
      const { id } = sent.result.task
      const [overJson, overGrpc] = [
        await probe.call('HTTP+JSON', 'GetTask', { id }),
        await probe.call('GRPC', 'GetTask', { id }),
      ]
      expect(overGrpc.error).toBeUndefined()
      // JSON has no other zero, and the proto leaves out a Struct that is empty.
      const same = (task: unknown) => JSON.parse(JSON.stringify(task).replaceAll(',"metadata":{}', ''))
      expect(same(overGrpc.result)).toEqual(same(overJson.result))
    }),
    { numRuns: 20 },
  )
})
