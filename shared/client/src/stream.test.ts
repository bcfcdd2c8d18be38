import type { StreamResponse, TaskState } from '@a2a-kit/task-core/protocol'
import { describe, expect, test } from 'vitest'
import { type ConnectOptions, connect } from './connect.ts'
import { ConnectionError, StreamCutError } from './errors.ts'
import { bothBindings, type FakeStream, fakeAgent } from './testing/fake-agent.ts'
import { chunkOf, drain, hello, quickWorld, statusOf, taskIn } from './testing/fixtures.ts'

const options: ConnectOptions = { world: quickWorld(), retry: { attempts: 1 } }
const impatient: ConnectOptions = { ...options, limits: { idleMs: 200 } }
const working: StreamResponse = { task: taskIn('TASK_STATE_WORKING') }
const message: StreamResponse = { message: { ...hello, role: 'ROLE_AGENT' } }

describe.each(bothBindings)('a stream over %s', (binding) => {
  /** The events that a client gets from a stream that `tell` tells, and the error at its end. */
  const streamed = async (tell: (stream: FakeStream) => unknown, given = options) => {
    const { url } = await fakeAgent(({ stream }) => tell(stream()), { binding })
    const client = await connect(url, given)
    return drain(client.sendStreamingMessage(hello))
  }

  test('gives its events in order, with their ids', async () => {
    const done = statusOf('TASK_STATE_COMPLETED')
    const { got, error } = await streamed((stream) => stream.frame(working, 1).frame(done, 2).end())
    expect(got).toEqual([
      { event: working, eventId: '1' },
      { event: done, eventId: '2' },
    ])
    expect(error).toBeUndefined()
  })

  describe('CLIENT-CUT-VS-END: the end of a stream', () => {
    const told = (stream: FakeStream) => stream.frame(working).frame(chunkOf('half'))

    test.each<[string, (stream: FakeStream) => void]>([
      ['a clean end without a terminal state', (stream) => told(stream).end()],
      ['a reset', (stream) => told(stream).reset()],
      ['an end after half a frame', (stream) => told(stream).raw('data: {"jsonrpc":"2.0","res').end()],
      ['a reset after half a frame', (stream) => told(stream).raw('data: {"status').reset()],
      [
        'an end after a whole line that no blank line follows',
        (stream) => told(stream).raw('data: {}\n').end(),
      ],
    ])('%s is a cut, and what came before it is given', async (_, tell) => {
      const { got, error } = await streamed(tell)
      expect(got).toEqual([{ event: working }, { event: chunkOf('half') }])
      expect(error).toBeInstanceOf(StreamCutError)
      expect(error).toBeInstanceOf(ConnectionError)
    })

    test.each<TaskState>(['TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING', 'TASK_STATE_AUTH_REQUIRED'])(
      'a clean end in %s is a cut',
      async (state) => {
        const { error } = await streamed((stream) => stream.frame({ task: taskIn(state) }).end())
        expect(error).toMatchObject({
          message: expect.stringMatching(/^The stream was cut: 127\.0\.0\.1:\d+ closed/),
        })
      },
    )

    test.each<TaskState>([
      'TASK_STATE_COMPLETED',
      'TASK_STATE_FAILED',
      'TASK_STATE_CANCELED',
      'TASK_STATE_REJECTED',
      'TASK_STATE_INPUT_REQUIRED',
    ])('a clean end in %s is the end', async (state) => {
      const { error } = await streamed((stream) => stream.frame(working).frame(statusOf(state)).end())
      expect(error).toBeUndefined()
    })

    test('a message is the end, and so is a reset after it or after a terminal state', async () => {
      expect(await streamed((stream) => stream.frame(message).end())).toEqual({ got: [{ event: message }] })
      expect((await streamed((stream) => stream.frame(message).reset())).error).toBeUndefined()
      const done = statusOf('TASK_STATE_COMPLETED')
      expect((await streamed((stream) => stream.frame(working).frame(done).reset())).error).toBeUndefined()
    })

    test('a reset while the task waits for input is a cut', async () => {
      const waits = statusOf('TASK_STATE_INPUT_REQUIRED')
      const { error } = await streamed((stream) => stream.frame(working).frame(waits).reset())
      expect(error).toBeInstanceOf(StreamCutError)
    })

    test('a clean end after the question was answered and work went on is a cut', async () => {
      const { error } = await streamed((stream) =>
        stream
          .frame({ task: taskIn('TASK_STATE_INPUT_REQUIRED') })
          .frame(statusOf('TASK_STATE_WORKING'))
          .end(),
      )
      expect(error).toBeInstanceOf(StreamCutError)
    })

    test('the cause of a cut is kept', async () => {
      const { error } = await streamed((stream) => told(stream).reset())
      expect((error as Error).cause).toHaveProperty('code')
    })

    test('an error that the agent sends is that error, not a cut', async () => {
      const { got, error } = await streamed((stream) =>
        stream.frame(working).error('InternalError', 'Broken.'),
      )
      expect(got).toHaveLength(1)
      expect(error).toMatchObject({ name: 'InternalError', message: 'Broken.' })
    })
  })

  test('CLIENT-300S: silence past the limit is a cut, and the connection is closed', async () => {
    let closed: Promise<void> | undefined
    const { got, error } = await streamed((stream) => {
      closed = stream.frame(working).closed
    }, impatient)
    expect(got).toHaveLength(1)
    expect(error).toBeInstanceOf(StreamCutError)
    expect((error as Error).message).toMatch(/sent nothing for 0\.2 s/)
    await closed
  })

  test('CLIENT-300S: heartbeats keep a quiet stream alive past the limit', async () => {
    const idleMs = 500
    const { url } = await fakeAgent(
      ({ stream }) => {
        const out = stream().frame(working)
        const since = performance.now()
        const heart = setInterval(() => {
          if (performance.now() - since < 2 * idleMs) return out.raw(':\n')
          clearInterval(heart)
          out.frame(statusOf('TASK_STATE_COMPLETED')).end()
        }, 25)
      },
      { binding },
    )
    const client = await connect(url, { ...options, limits: { idleMs } })
    expect((await drain(client.sendStreamingMessage(hello))).error).toBeUndefined()
  })

  test('time that the reader takes is no silence', async () => {
    const { url } = await fakeAgent(
      ({ stream }) => stream().frame(working).frame(statusOf('TASK_STATE_COMPLETED')).end(),
      { binding },
    )
    const states = []
    for await (const { event } of (await connect(url, impatient)).sendStreamingMessage(hello)) {
      await new Promise((resolve) => setTimeout(resolve, 300))
      states.push((event.task ?? event.statusUpdate)?.status.state)
    }
    expect(states).toEqual(['TASK_STATE_WORKING', 'TASK_STATE_COMPLETED'])
  })

  test('leaving the iteration closes the connection', async () => {
    let closed: Promise<void> | undefined
    const { url } = await fakeAgent(({ stream }) => (closed = stream().frame(working).closed), { binding })
    for await (const _ of (await connect(url, options)).subscribeToTask('T')) break
    await closed
  })

  test('an abort closes the connection and throws its reason', async () => {
    let closed: Promise<void> | undefined
    const { url } = await fakeAgent(({ stream }) => (closed = stream().frame(working).closed), { binding })
    const stop = new AbortController()
    const events = (await connect(url, options)).subscribeToTask('T', { signal: stop.signal })
    const read = async () => {
      for await (const _ of events) stop.abort(new Error('enough'))
    }
    await expect(read()).rejects.toThrow('enough')
    await closed
  })
})

test('SSE-UNICODE-SEPARATORS: text with U+2028 and U+0085 comes through a stream whole', async () => {
  const text = 'one\u2028two\u0085three\r\n\u{1F600}'
  const frame = Buffer.from(
    `data: {"result":${JSON.stringify({ message: { messageId: 'm', parts: [{ text }] } })}}\n\n`,
  )
  const { url } = await fakeAgent(async ({ stream }) => {
    const out = stream()
    for (const byte of frame) {
      out.raw(Uint8Array.of(byte))
      await new Promise((resolve) => setImmediate(resolve))
    }
    out.end()
  })
  const { got } = await drain((await connect(url, options)).sendStreamingMessage(hello))
  expect(got).toEqual([{ event: { message: { messageId: 'm', parts: [{ text }] } } }])
})
