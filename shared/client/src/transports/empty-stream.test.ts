import type { A2AError } from '@a2a-kit/task-core/protocol'
import { describe, expect, test } from 'vitest'
import { type ConnectOptions, connect } from '../connect.ts'
import { factsOf, GaveUpError, HttpError, StreamCutError } from '../errors.ts'
import { bothBindings, type Exchange, fakeAgent } from '../testing/fake-agent.ts'
import { drain, hello, quickWorld, taskIn } from '../testing/fixtures.ts'

const once: ConnectOptions = { world: quickWorld(), retry: { attempts: 1 } }
const task = taskIn('TASK_STATE_COMPLETED')

describe.each(bothBindings)('CLIENT-ERROR-AS-EMPTY-STREAM: over %s', (binding) => {
  const agentThat = (answer: (exchange: Exchange) => unknown) => fakeAgent(answer, { binding })

  const streamFrom = async (answer: (exchange: Exchange) => unknown) => {
    const { url } = await agentThat(answer)
    const client = await connect(url, once)
    const { got, error } = await drain(client.sendStreamingMessage(hello))
    expect(got).toEqual([])
    return error as Error
  }

  test('a protocol error in place of the stream is thrown with its HTTP status', async () => {
    const error = await streamFrom(({ error: fail }) => fail('UnsupportedOperationError', 'No streams.'))
    expect(error).toMatchObject({ name: 'UnsupportedOperationError', message: 'No streams.' })
    expect((error as A2AError).row.code).toBe(-32004)
    expect(factsOf(error)?.status).toBe(binding === 'JSONRPC' ? 200 : 400)
  })

  test('an error with HTTP 200 in place of the stream is thrown, of either media type', async () => {
    for (const mediaType of ['application/json', 'application/a2a+json']) {
      const message = 'No streams.'
      const error =
        binding === 'JSONRPC'
          ? { code: -32004, message }
          : { code: 400, status: 'FAILED_PRECONDITION', message }
      const thrown = await streamFrom(({ reply }) => reply(200, mediaType, JSON.stringify({ error })))
      expect(thrown).toMatchObject({ name: 'UnsupportedOperationError', message })
      expect((thrown as A2AError).row.code).toBe(-32004)
      expect(factsOf(thrown)?.status).toBe(binding === 'JSONRPC' ? 200 : 400)
    }
  })

  test('an agent that is away is given up with its HTTP status', async () => {
    const error = await streamFrom(({ reply }) => reply(503, 'text/plain', 'Come back later'))
    expect(error).toBeInstanceOf(GaveUpError)
    expect(error.message).toContain('It begins: Come back later')
    expect(factsOf(error)?.status).toBe(503)
  })

  test('a text in place of the stream is thrown with its HTTP status and first words', async () => {
    const error = await streamFrom(({ reply }) => reply(500, 'text/plain', 'Out\nof order'))
    expect(error).toBeInstanceOf(HttpError)
    expect(error).toMatchObject({
      status: 500,
      message: expect.stringContaining('It begins: Out of order'),
    })
  })

  test('HTML with HTTP 200 is thrown, also on an ordinary call', async () => {
    expect(await streamFrom(({ reply }) => reply(200, 'text/html', '<p>'))).toBeInstanceOf(HttpError)
    const { url } = await agentThat(({ reply }) => reply(200, 'text/html', '<p>'))
    await expect((await connect(url, once)).getTask('T')).rejects.toThrow(HttpError)
  })

  test('an error frame as the only frame is thrown', async () => {
    const error = await streamFrom(({ stream }) => stream().error('InternalError', 'Broken.').end())
    expect(error).toMatchObject({ name: 'InternalError', message: 'Broken.' })
    expect((error as A2AError).row.code).toBe(-32603)
    expect(factsOf(error)?.status).toBe(binding === 'JSONRPC' ? 200 : 500)
  })

  test('a stream that ends at once is a cut', async () => {
    expect(await streamFrom(({ stream }) => stream().end())).toBeInstanceOf(StreamCutError)
  })

  test('an answer of one JSON object is an invalid answer', async () => {
    const error = await streamFrom(({ result }) => result({ task }))
    expect(error).toMatchObject({ name: 'InvalidAgentResponseError' })
  })

  test.each(['not json', '{"no":"frame"}', '[]', '{"kind":"status-update"}'])(
    'the frame %s',
    async (data) => {
      const error = await streamFrom(({ stream }) => stream().raw(`data: ${data}\n\n`).end())
      expect(error).toMatchObject({ name: 'InvalidAgentResponseError' })
    },
  )
})
