// A watch over gRPC whose streams are cut: the same rules as over the other bindings.
import type { ErrorName } from '@a2a-kit/task-core/protocol'
import { expect, test } from 'vitest'
import { type ConnectOptions, connect } from './connect.ts'
import { GaveUpError } from './errors.ts'
import { fakeAgent } from './testing/fake-agent.ts'
import { fakeGrpcAgent, type GrpcExchange } from './testing/fake-grpc-agent.ts'
import { drain, hello, quickWorld, statusOf, taskIn } from './testing/fixtures.ts'

const working = taskIn('TASK_STATE_WORKING')
const completed = taskIn('TASK_STATE_COMPLETED')
const done = statusOf('TASK_STATE_COMPLETED')
type Answer = (exchange: GrpcExchange) => unknown

/** A client, over gRPC alone, of an agent that plays its answers in order; the last one again and again. */
async function clientOf(answers: Answer[], options: ConnectOptions = {}) {
  let turn = 0
  const agent = await fakeGrpcAgent((exchange) => answers[Math.min(turn++, answers.length - 1)]!(exchange))
  const supportedInterfaces = [{ url: agent.target, protocolBinding: 'GRPC', protocolVersion: '1.0' }]
  const { url } = await fakeAgent(() => {}, { card: { supportedInterfaces } })
  const client = await connect(url, { world: quickWorld(), retry: { attempts: 4 }, ...options })
  return { client, methods: () => agent.exchanges.map(({ method }) => method), exchanges: agent.exchanges }
}

const cut: Answer = ({ begin, frame, fail }) => {
  begin()
  frame({ task: working })
  fail('UNAVAILABLE', 'Gone.')
}
const gives =
  (value: object): Answer =>
  ({ result }) =>
    result(value)

test('CLIENT-CUT-VS-END: a cut is followed by another subscription, whose first frame reconciles', async () => {
  const rest: Answer = ({ begin, frame, end }) => {
    begin()
    frame({ task: working })
    frame(done)
    end()
  }
  const { client, methods } = await clientOf([cut, rest, gives(completed)])
  const { got, error } = await drain(client.watch('T'))
  expect([got.map(({ event }) => event), error]).toEqual([[{ task: working }, done], undefined])
  expect(methods()).toEqual(['SubscribeToTask', 'SubscribeToTask', 'GetTask'])
})

test('CLIENT-CUT-VS-END: a task that ended meanwhile is asked for', async () => {
  const refused: Answer = ({ fail }) => fail('FAILED_PRECONDITION', 'It has ended.')
  const { client, methods } = await clientOf([cut, refused, gives(completed)])
  const { got } = await drain(client.watch('T'))
  expect(got.map(({ event }) => event)).toEqual([{ task: working }, { task: completed }])
  expect(methods()).toEqual(['SubscribeToTask', 'SubscribeToTask', 'GetTask'])
})

test('CLIENT-CUT-VS-END: after so many cuts the watch gives up', async () => {
  const { client, methods } = await clientOf([cut])
  expect((await drain(client.watch('T'))).error).toBeInstanceOf(GaveUpError)
  expect(methods()).toHaveLength(4)
})

test('DUPLICATE-MESSAGEID: a send whose answer is lost is sent again over gRPC with the same messageId', async () => {
  const lost: Answer = ({ fail }) => fail('UNAVAILABLE', 'Gone.')
  const { client, exchanges } = await clientOf([lost, lost, gives({ task: working })])
  expect(await client.sendMessage(hello)).toEqual({ task: working })
  expect(exchanges.map(({ params }) => params)).toEqual(Array(3).fill({ message: hello }))
})

test.each<[ErrorName, object]>([
  ['InvalidAgentResponseError', { id: 'T', status: { state: 'TASK_STATE_UNSPECIFIED' } }],
  ['InvalidAgentResponseError', { id: 'T' }],
])('ENUM-FORMS: over gRPC what has no state is %s, not something to wait for: %o', async (name, value) => {
  const { client } = await clientOf([gives(value)], { retry: { attempts: 1 } })
  await expect(client.getTask('T')).rejects.toMatchObject({ name })
})
