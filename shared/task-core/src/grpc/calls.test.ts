import { once } from 'node:events'
import http2 from 'node:http2'
import {
  Client,
  type ClientReadableStream,
  credentials,
  Metadata,
  type ServiceError,
  status,
} from '@grpc/grpc-js'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import type { Agent } from '../define-agent.ts'
import { createAdmit, type Frame, framesOf, type Operations } from '../operations/index.ts'
import { detailsFromWire, fromWire, grpcMethods, statusKey, toWire } from '../protocol/grpc/index.ts'
import { defaultSettings } from '../settings.ts'
import { plainTracer } from '../telemetry/index.ts'
import { bareAgent, bareCard } from '../testing/bare-agent.ts'
import { realWorld } from '../world.ts'
import { createGrpcServer } from './server.ts'

/** Serves `operations`, and keeps the lines of its log that are errors. */
async function serving(operations: Operations) {
  const errors: string[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => void errors.push(line) })
  const server = createGrpcServer({
    operations,
    admit: createAdmit(bareCard),
    settings: defaultSettings,
    log,
    telemetry: { tracer: plainTracer(realWorld) },
  })
  onTestFinished(() => server.close())
  const port = await server.listen('127.0.0.1', 0)
  const connect = () => {
    const options = { 'grpc.use_local_subchannel_pool': 1 }
    const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure(), options)
    onTestFinished(() => client.close())
    return client
  }
  return { server, port, errors, connect }
}

/** An agent that is served over gRPC, and its feed. */
async function agentThat(run: Agent['run']) {
  const { feed, operations } = await bareAgent(run)
  return { feed, ...(await serving(operations)) }
}

/** Every operation answers what these say; none is called that is not given. */
const stub = (streaming: () => Iterable<Frame>) =>
  ({
    unary: { ListTasks: async () => '{}' },
    streaming: {
      SubscribeToTask: async () => framesOf(streaming()),
      SendStreamingMessage: async () => framesOf(streaming()),
    },
  }) as unknown as Operations

const same = (bytes: Buffer) => bytes
const version = () => {
  const metadata = new Metadata()
  metadata.set('a2a-version', '1.0')
  return metadata
}
const message = (text: string) => ({
  message: { messageId: `${text}-${Math.random()}`, role: 'ROLE_USER', parts: [{ text }] },
})

function call(client: Client, operation: string, params: object = {}, options = {}) {
  const { path, request } = grpcMethods.get(operation)!
  const bytes = toWire(request, params as never)
  const answered = Promise.withResolvers<ServiceError | null>()
  const handle = client.makeUnaryRequest(path, same, same, bytes, version(), options, (error) =>
    answered.resolve(error),
  )
  return { cancel: () => handle.cancel(), error: answered.promise }
}

function stream(client: Client, operation = 'SubscribeToTask', params: object = { id: 'T' }) {
  const { path, request } = grpcMethods.get(operation)!
  const call = client.makeServerStreamRequest(path, same, same, toWire(request, params as never), version())
  call.read(0) // until something is asked for, the library takes in all that comes
  const ended = new Promise<ServiceError | undefined>((resolve) => {
    let failure: ServiceError | undefined
    call.on('error', (error: ServiceError) => {
      failure = error
    })
    call.on('status', () => resolve(failure))
  })
  return { call, ended, begun: new Promise((resolve) => call.once('metadata', resolve)) }
}

const textOf = (bytes: Buffer) =>
  (fromWire(grpcMethods.get('SubscribeToTask')!.reply, bytes) as { message: { parts: [{ text: string }] } })
    .message.parts[0].text

const frame = (text: string) => ({ data: JSON.stringify({ message: { messageId: 'm', parts: [{ text }] } }) })

/** Reads until `enough` frames came, and leaves the rest. */
async function take(call: ClientReadableStream<Buffer>, enough: number): Promise<string[]> {
  const texts: string[] = []
  for await (const bytes of call) {
    texts.push(textOf(bytes))
    if (texts.length === enough) break
  }
  return texts
}

const forever = () => new Promise<never>(() => {})

test.each(['SendStreamingMessage', 'SendMessage'])(
  'clients that cancel a %s free their watch',
  async (operation) => {
    const { feed, connect } = await agentThat((task) => task.step('work', forever))
    const client = connect()
    const calls = Array.from({ length: 40 }, (_, nth) =>
      operation === 'SendMessage'
        ? call(client, operation, message(`${nth}`))
        : stream(client, operation, message(`${nth}`)).call,
    )
    for (const one of calls) if ('on' in one) one.on('error', () => {})
    await expect.poll(() => feed.watching()).toBe(40)
    for (const one of calls) one.cancel()
    await expect.poll(() => feed.watching()).toBe(0)
  },
)

/** A connection without a library, that can be cut, and sends at once what it is told. */
function wire(port: number) {
  const session = http2.connect(`http://127.0.0.1:${port}`)
  session.on('error', () => {})
  onTestFinished(() => session.destroy())
  return {
    session,
    send(operation: string, params: object) {
      const { path, request } = grpcMethods.get(operation)!
      const headers = { 'content-type': 'application/grpc', te: 'trailers', 'a2a-version': '1.0' }
      const bytes = toWire(request, params as never)
      const head = Buffer.alloc(5)
      head.writeUInt32BE(bytes.length, 1)
      const sent = session.request({ ':method': 'POST', ':path': path, ...headers })
      return sent.on('error', () => {}).end(Buffer.concat([head, bytes]))
    },
  }
}

test('a client whose connection is gone frees its watches', async () => {
  const { feed, port } = await agentThat((task) => task.step('work', forever))
  const { session, send } = wire(port)
  send('SendMessage', message('a'))
  send('SendStreamingMessage', message('b'))
  await expect.poll(() => feed.watching()).toBe(2)
  session.destroy()
  await expect.poll(() => feed.watching()).toBe(0)
})

test('a client that cancels while its request is on its way leaves nothing behind', async () => {
  const { feed, port, connect } = await agentThat((task) => task.step('work', forever))
  const { send } = wire(port)
  for (let nth = 0; nth < 100; nth += 1) {
    const sent = send(nth % 2 ? 'SendMessage' : 'SendStreamingMessage', message('go'))
    const closed = once(sent, 'close')
    if (nth % 4 < 2) await once(sent, 'finish')
    sent.close(http2.constants.NGHTTP2_CANCEL)
    await closed
  }
  await call(connect(), 'ListTasks').error
  await expect.poll(() => feed.watching()).toBe(0)
})

test.each([
  ['a deadline that passes', 300, status.DEADLINE_EXCEEDED],
  ['a cancel', undefined, status.CANCELLED],
])('%s ends the wait and frees its watch, and the task goes on', async (_, within, code) => {
  const [opened, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { feed, connect } = await agentThat(async (task) => {
    await task.step('work', () => opened.promise)
    ended.resolve()
  })
  const waiting = call(connect(), 'SendMessage', message('go'), within && { deadline: Date.now() + within })
  await expect.poll(() => feed.watching()).toBe(1)
  if (!within) waiting.cancel()
  expect((await waiting.error)!.code).toBe(code)
  await expect.poll(() => feed.watching()).toBe(0)
  opened.resolve()
  await ended.promise
})

test('a reader that is slow is waited for, and misses nothing', async () => {
  let pulled = 0
  const ended = Promise.withResolvers<void>()
  const { connect } = await serving(
    stub(function* () {
      try {
        for (;;) yield frame(`${pulled++} `.padEnd(50_000, '.'))
      } finally {
        ended.resolve()
      }
    }),
  )
  const slow = stream(connect())
  await slow.begun
  // While others are served, it is not.
  const other = connect()
  for (let nth = 0; nth < 200; nth += 1) expect(await call(other, 'ListTasks').error).toBeNull()
  const before = pulled
  expect(before).toBeLessThan(200)
  const texts = await take(slow.call, before + 100)
  expect(texts.map((text) => Number.parseInt(text, 10))).toEqual(texts.map((_, nth) => nth))
  slow.call.cancel()
  await ended.promise
})

test('frames that fail half way end in INTERNAL, without the cause, which is in the log', async () => {
  const { connect, errors } = await serving(
    stub(function* () {
      yield frame('one')
      throw new Error('secret')
    }),
  )
  const { call: failing, ended } = stream(connect())
  const texts: string[] = []
  failing.on('data', (bytes: Buffer) => texts.push(textOf(bytes)))
  const error = (await ended)!
  expect(texts).toEqual(['one'])
  expect([error.code, error.details]).toEqual([
    status.INTERNAL,
    'The agent failed to answer. Its log has the reason.',
  ])
  expect(error.metadata.get(statusKey).flatMap((value) => detailsFromWire(value as Buffer))).toMatchObject([
    { reason: 'INTERNAL_ERROR' },
  ])
  expect(errors.join()).toContain('secret')
})

test('a stop ends what is open with UNAVAILABLE, lets arrive what was sent, and waits for nobody who does not read', async () => {
  const { server, connect, feed } = await agentThat(async (task) => {
    await task.working('x'.repeat(500_000))
    await task.step('work', forever)
  })
  const client = connect()
  const blocking = call(client, 'SendMessage', message('a'))
  const reading = stream(client, 'SendStreamingMessage', message('b'))
  let came = 0
  reading.call.on('data', () => {
    came += 1
  })
  const stalled = stream(connect(), 'SendStreamingMessage', message('c'))
  await stalled.begun
  await expect.poll(() => came).toBe(2)
  await expect.poll(() => feed.watching()).toBe(3)
  await server.close()
  expect(feed.watching()).toBe(0)
  for (const error of [await blocking.error, await reading.ended]) {
    expect(error!.code).toBe(status.UNAVAILABLE)
    const [info] = detailsFromWire(error!.metadata.get(statusKey)[0] as Buffer)
    expect(info).toMatchObject({ reason: 'UNAVAILABLE' })
  }
  expect((await call(connect(), 'ListTasks').error)!.code).toBe(status.UNAVAILABLE)
})
