import { createServer } from 'node:http'
import { type AddressInfo, connect, createServer as createProxy, type Socket } from 'node:net'
import { A2AError } from '@a2a-kit/task-core/protocol'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ConnectionError, factsOf, StreamCutError } from '../errors.ts'
import { fakeGrpcAgent, type GrpcExchange } from '../testing/fake-grpc-agent.ts'
import { drain, hello, statusOf, taskIn } from '../testing/fixtures.ts'
import { detailed, errorOf, noLimits, speaking } from '../testing/grpc.ts'
import type { Limits } from '../transport.ts'
import { grpcTransport } from './grpc.ts'

const task = taskIn('TASK_STATE_COMPLETED')

/** A proxy to `target` whose connections stay open and carry nothing more, once they are told. */
async function silenceableProxy(target: string) {
  const sockets: Socket[] = []
  const proxy = createProxy((near) => {
    const far = connect({ host: '127.0.0.1', port: Number(target.split(':')[1]) })
    near.pipe(far).pipe(near)
    sockets.push(near, far)
    for (const socket of [near, far]) socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    proxy.close()
  })
  return {
    target: `127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    silence() {
      for (const socket of sockets) socket.unpipe().pause()
    },
  }
}

describe('an answer', () => {
  test('that does not come in time is a lost connection', async () => {
    const error = await errorOf(() => {}, { replyMs: 100 })
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error!.message).toMatch(/none came in time/)
  })

  test('to a blocking send is waited for longer', async () => {
    const { transport } = await speaking(({ result }) => setTimeout(() => result({ task }), 300), {
      replyMs: 100,
    })
    expect(await transport.call('SendMessage', { message: hello }, {})).toEqual({ task })
    const configuration = { returnImmediately: true }
    await expect(transport.call('SendMessage', { message: hello, configuration }, {})).rejects.toThrow(
      'in time',
    )
  })

  test('that is no task is an invalid one', async () => {
    for (const value of [{}, { id: 'T' }, { id: 'T', status: {} }]) {
      expect((await errorOf(({ result }) => result(value)))!.name).toBe('InvalidAgentResponseError')
    }
  })

  test('that breaks off is a lost connection', async () => {
    const agent = await speaking(() => agent.drop())
    const error = await agent.transport.call('GetTask', { id: 'T' }, {}).catch((reason) => reason)
    expect(error).toBeInstanceOf(ConnectionError)
  })

  test('of nobody is a lost connection, with advice', async () => {
    const { transport } = { transport: grpcTransport('127.0.0.1:1', noLimits) }
    const error = await transport.call('GetTask', { id: 'T' }, {}).catch((reason) => reason)
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error.message).toMatch(
      /^No answer from 127\.0\.0\.1:1: nothing listens there.*\(ECONNREFUSED\)\.$/,
    )
  })

  test.each([
    ['UNAVAILABLE', '', 'it said UNAVAILABLE and no reason'],
    ['UNAVAILABLE', 'Down. Resolution note: x', 'Down'],
    ['CANCELLED', '', 'it said CANCELLED and no reason'],
  ] as const)('of %s with the text %j is a lost connection that says why', async (code, text, why) => {
    const error = await errorOf(({ fail }) => fail(code, text))
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error!.message).toMatch(new RegExp(`^No answer from [\\d.:]+: ${why}\\.$`))
  })

  test('of a server of HTTP/1 is said to be no gRPC', async () => {
    const server = createServer((_request, response) => response.end('hello'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const transport = grpcTransport(`127.0.0.1:${port}`, noLimits)
    await expect(transport.call('GetTask', { id: 'T' }, {})).rejects.toMatchObject({
      name: 'InvalidAgentResponseError',
      message: `What 127.0.0.1:${port} answers is not gRPC; check the address.`,
    })
  })
})

test('VERSION-ABSENT, EXTENSIONS-REQUIRED: every call has the version, the extensions and the last event in its metadata', async () => {
  const { transport, exchanges } = await speaking(({ method, result, begin, frame, end }) => {
    if (method !== 'SubscribeToTask') return result(task)
    begin()
    frame({ task })
    end()
  })
  const options = { extensions: ['urn:a', 'urn:b'], lastEventId: '7' }
  await transport.call('GetTask', { id: 'T' }, options)
  await drain(await transport.open('SubscribeToTask', { id: 'T' }, options))
  for (const { metadata } of exchanges) {
    expect(metadata.get('a2a-version')).toEqual(['1.0'])
    expect(metadata.get('a2a-extensions')).toEqual(['urn:a,urn:b'])
    expect(metadata.get('last-event-id')).toEqual(['7'])
  }
})

describe('a stream', () => {
  const working = statusOf('TASK_STATE_WORKING')
  const opened = async (answer: (exchange: GrpcExchange) => unknown, limits?: Partial<Limits>) => {
    const agent = await speaking(answer, limits)
    return { ...agent, events: await agent.transport.open('SubscribeToTask', { id: 'T' }, {}) }
  }

  test.each([
    ['counted on from the first one', '4', ['4', '5']],
    ['none where the agent gives none', undefined, [undefined, undefined]],
    ['none where it is no number', 'abc', [undefined, undefined]],
  ])('has the ids of its events %s', async (_, firstId, ids) => {
    const { events } = await opened(({ begin, frame, end }) => {
      begin(firstId)
      frame({ task: taskIn('TASK_STATE_SUBMITTED') })
      frame(statusOf('TASK_STATE_COMPLETED'))
      end()
    })
    const { got, error } = await drain(events)
    expect(error).toBeUndefined()
    expect(got.map(({ eventId }) => eventId)).toEqual(ids)
  })

  test('PRE-STREAM-ERROR: that is refused is the error of the call', async () => {
    const { transport } = await speaking(({ fail }) => fail('NOT_FOUND', 'Gone.'))
    await expect(transport.open('SubscribeToTask', { id: 'T' }, {})).rejects.toMatchObject({
      name: 'TaskNotFoundError',
    })
  })

  test('CLIENT-ERROR-AS-EMPTY-STREAM: that is an error, or ends at once, is no empty stream', async () => {
    const { transport } = await speaking(({ fail }) => fail('FAILED_PRECONDITION', 'No streams.'))
    const error = await transport.open('SubscribeToTask', { id: 'T' }, {}).catch((reason) => reason)
    expect(error).toMatchObject({ name: 'UnsupportedOperationError', message: 'No streams.' })
    expect(factsOf(error)).toMatchObject({ status: 400, grpc: 'FAILED_PRECONDITION' })
    const broken = await opened(({ begin, fail }) => {
      begin()
      fail('INTERNAL', 'Oh.')
    })
    expect(await drain(broken.events)).toMatchObject({ got: [], error: { name: 'InternalError' } })
    const empty = await opened(({ begin, end }) => {
      begin()
      end()
    })
    const { got, error: cut } = await drain(empty.events)
    expect(got).toEqual([])
    expect(cut).toBeInstanceOf(StreamCutError)
  })

  test('that does not begin in time is a lost connection, and is cancelled', async () => {
    const { transport, exchanges } = await speaking(() => {}, { replyMs: 100 })
    await expect(transport.open('SubscribeToTask', { id: 'T' }, {})).rejects.toThrow(
      /none began within 0\.1 s/,
    )
    await exchanges[0]!.ended
  })

  test.each<[string, (exchange: GrpcExchange) => void]>([
    ['ends well', ({ end }) => end()],
    ['ends with UNAVAILABLE', ({ fail }) => fail('UNAVAILABLE', 'It stops.')],
    [
      'ends with UNAVAILABLE and its reason',
      ({ fail }) =>
        fail('UNAVAILABLE', 'It stops.', detailed(new A2AError('UnavailableError', 'x').details())),
    ],
    ['is cancelled by the agent', ({ fail }) => fail('CANCELLED')],
  ])('CLIENT-CUT-VS-END: that %s before the task has ended was cut', async (_, finish) => {
    const { events } = await opened((exchange) => {
      exchange.begin()
      exchange.frame({ task: taskIn('TASK_STATE_SUBMITTED') })
      exchange.frame(working)
      finish(exchange)
    })
    const { got, error } = await drain(events)
    expect(got).toHaveLength(2)
    expect(error).toBeInstanceOf(StreamCutError)
  })

  test('CLIENT-CUT-VS-END: whose connection is lost was cut', async () => {
    const agent = await opened(({ begin, frame }) => {
      begin()
      frame({ task: taskIn('TASK_STATE_WORKING') })
    })
    const reading = drain(agent.events)
    agent.drop()
    expect((await reading).error).toBeInstanceOf(StreamCutError)
  })

  test('CLIENT-300S, CLIENT-CUT-VS-END: whose agent answers no ping was cut', async () => {
    const agent = await fakeGrpcAgent(({ begin, frame }) => {
      begin()
      frame({ task: taskIn('TASK_STATE_WORKING') })
    })
    const proxy = await silenceableProxy(agent.target)
    const transport = grpcTransport(proxy.target, { ...noLimits, idleMs: 100 })
    const events = await transport.open('SubscribeToTask', { id: 'T' }, {})
    const { value } = await events[Symbol.asyncIterator]().next()
    expect(value.event.task.id).toBe('T')
    proxy.silence()
    expect((await drain(events)).error).toBeInstanceOf(StreamCutError)
  })

  test('that breaks off after the end of the task is whole', async () => {
    const { events } = await opened(({ begin, frame, fail }) => {
      begin()
      frame({ task })
      fail('UNAVAILABLE', 'It stops.')
    })
    expect(await drain(events)).toEqual({ got: [{ event: { task } }] })
  })

  test('that fails is the error that it ends with', async () => {
    const { events } = await opened(({ begin, frame, fail }) => {
      begin()
      frame({ task: taskIn('TASK_STATE_WORKING') })
      fail('INTERNAL', 'Oh.')
    })
    expect((await drain(events)).error).toMatchObject({ name: 'InternalError', message: 'Oh.' })
  })

  test('of another shape is an invalid answer, and is left', async () => {
    const { events, exchanges } = await opened(({ begin, frame }) => {
      begin()
      frame({})
    })
    expect((await drain(events)).error).toMatchObject({ name: 'InvalidAgentResponseError' })
    await exchanges[0]!.ended
  })

  test('that its reader leaves is cancelled', async () => {
    const { events, exchanges } = await opened(({ begin, frame }) => {
      begin()
      frame({ task: taskIn('TASK_STATE_WORKING') })
    })
    for await (const _ of events) break
    await exchanges[0]!.ended
  })

  test('ends with the reason of an abort', async () => {
    const stop = new AbortController()
    const { transport } = await speaking(({ begin, frame }) => {
      begin()
      frame({ task: taskIn('TASK_STATE_WORKING') })
    })
    const events = await transport.open('SubscribeToTask', { id: 'T' }, { signal: stop.signal })
    const reading = drain(events)
    stop.abort(new Error('enough'))
    expect((await reading).error).toMatchObject({ message: 'enough' })
    await expect(transport.call('GetTask', { id: 'T' }, { signal: stop.signal })).rejects.toThrow('enough')
  })
})
