import { fastifySSE } from '@fastify/sse'
import fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { type Frame, framesOf } from '../operations/index.ts'
import { A2AError } from '../protocol/index.ts'
import { createHeart } from './heart.ts'
import { type Envelope, sendFrames } from './sse.ts'
import { trackCalls } from './streams.ts'

const brackets: Envelope = {
  wrap: (json) => `[${json}]`,
  failure: (error) => `failed: ${error.message}`,
}

/** Serves `frames` at /, and counts the lines of the log that are errors. */
async function serving(frames: () => Iterable<Frame>, more: { failureEvent?: string } = {}) {
  const errors: string[] = []
  const stream = { write: (line: string) => void errors.push(line) }
  const app = fastify({ logger: { level: 'error', stream } })
  onTestFinished(() => app.close())
  trackCalls(app)
  const heart = createHeart(1_000_000)
  await app.register(fastifySSE)
  app.get('/', { sse: { kind: 'manual', heartbeat: false } }, async (request, reply) =>
    sendFrames(request, reply, { frames: framesOf(frames()), envelope: { ...brackets, ...more }, heart }),
  )
  return { url: await app.listen({ port: 0, host: '127.0.0.1' }), errors }
}

test('frames are sent with their ids, wrapped by the binding', async () => {
  const { url } = await serving(function* () {
    yield { id: '1', data: '"one"' }
    yield { data: '"two"' }
  })
  expect(await (await fetch(url)).text()).toBe('id: 1\ndata: ["one"]\n\ndata: ["two"]\n\n')
})

test('frames that fail half way end in a frame that says so, in the binding’s shape and without the cause', async () => {
  const { url, errors } = await serving(function* () {
    yield { id: '1', data: '1' }
    throw new Error('secret')
  })
  const failure = 'failed: The agent failed to answer. Its log has the reason.'
  expect(await (await fetch(url)).text()).toBe(`id: 1\ndata: [1]\n\ndata: ${failure}\n\n`)
  expect(errors.join()).toContain('secret')
})

test('the frame that says so is an event of its own type, where the binding has one', async () => {
  const failing = function* () {
    yield { data: '1' }
    throw new A2AError('TaskNotFoundError', 'It is gone.')
  }
  const { url, errors } = await serving(failing, { failureEvent: 'error' })
  expect(await (await fetch(url)).text()).toBe('data: [1]\n\nevent: error\ndata: failed: It is gone.\n\n')
  expect(errors).toEqual([])
})

test('when the client leaves, the source of the frames is told to end', async () => {
  const ended = Promise.withResolvers<void>()
  const { url, errors } = await serving(function* () {
    try {
      for (let n = 1; ; n += 1) yield { id: `${n}`, data: '.'.repeat(1000) }
    } finally {
      ended.resolve()
    }
  })
  const leaving = new AbortController()
  const { body } = await fetch(url, { signal: leaving.signal })
  await body!.getReader().read()
  leaving.abort()
  await ended.promise
  expect(errors).toEqual([])
})
