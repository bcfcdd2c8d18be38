// What goes out over gRPC: the same as over the other bindings, or an error before anything is sent.
import { expect, test } from 'vitest'
import { fakeGrpcAgent, type GrpcExchange } from '../testing/fake-grpc-agent.ts'
import { drain, hello, taskIn } from '../testing/fixtures.ts'
import { grpcTransport } from './grpc.ts'

const task = taskIn('TASK_STATE_COMPLETED')

async function speaking(answer: (exchange: GrpcExchange) => unknown, replyMs = 0) {
  const agent = await fakeGrpcAgent(answer)
  return { ...agent, transport: grpcTransport(agent.target, { replyMs, blockingMs: 0, idleMs: 0 }) }
}

test('a request is what JSON makes of it, as over the other bindings', async () => {
  const { transport, exchanges } = await speaking(({ result }) => result({ task }))
  const parts = [{ text: 'hi' }, { data: { at: new Date(0), left: undefined } }]
  const message = { ...hello, contextId: undefined, metadata: undefined, parts }
  await transport.call('SendMessage', { message: message as never }, {})
  expect(exchanges[0]!.params).toEqual({
    message: { ...hello, parts: [{ text: 'hi' }, { data: { at: '1970-01-01T00:00:00.000Z' } }] },
  })
})

test('a request that is no message is refused by the name of the error, and not sent', async () => {
  const { transport, exchanges } = await speaking(({ result }) => result({ task }))
  const message = { ...hello, parts: [{ text: 5 as never }] }
  await expect(transport.call('SendMessage', { message }, {})).rejects.toMatchObject({
    name: 'InvalidParamsError',
    message: expect.stringMatching(/SendMessageRequest.*Part\.text.*expected string/),
  })
  await expect(transport.open('SendStreamingMessage', { message }, {})).rejects.toThrow('Invalid parameters')
  expect(exchanges).toEqual([])
})

test('a message whose stream is quiet at first is not given up, and so not sent twice', async () => {
  const { transport, exchanges } = await speaking(({ frame, end }) => {
    setTimeout(() => {
      frame({ task })
      end()
    }, 300)
  }, 100)
  const events = await transport.open('SendStreamingMessage', { message: hello }, {})
  expect((await drain(events)).got).toEqual([{ event: { task } }])
  expect(exchanges).toHaveLength(1)
})
