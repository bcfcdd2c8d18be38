// Streams and their connections: clients that leave, proxies that cut what is silent, and many that watch at once.
import { Agent, type IncomingMessage, request } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import { grpcMethods } from '@a2a-kit/task-core/grpc-schema'
import { describe, expect, test } from 'vitest'
import { gate, testAgent } from './support/agent.ts'
import { grpcClient, metadataOf, requestBytes } from './support/grpc.ts'
import { type Binding, bindings, jsonBindings, type Probe, startProbe, userMessage } from './support/probe.ts'
import { requestOf } from './support/raw.ts'
import { allFrames, framesUntil } from './support/sse.ts'
import { begin } from './support/talk.ts'
import { untilState } from './support/wait.ts'
import { bodyOf, impatientProxy, openWire, subscription, subscriptionByRpc } from './support/wire.ts'

const approve = async ({ url }: Probe, id: string) => {
  expect((await fetch(`${url}/approve/${id}`, { method: 'POST' })).status).toBe(200)
}

/** Sends a message and waits for its task. @returns a function that breaks the connection off */
function beginBlocking({ url, grpcPort }: Probe, binding: Binding): () => Promise<unknown> {
  const params = { message: userMessage('go') }
  if (binding === 'GRPC') {
    const same = (bytes: Buffer) => bytes
    const client = grpcClient(`localhost:${grpcPort}`)
    const bytes = requestBytes('SendMessage', params)
    const { path } = grpcMethods.get('SendMessage')!
    const over = Promise.withResolvers<unknown>()
    const call = client.makeUnaryRequest(path, same, same, bytes, metadataOf(), over.resolve)
    return () => {
      call.cancel()
      return over.promise
    }
  }
  const leaving = new AbortController()
  const [path, init] = requestOf(binding, 'SendMessage', { params })
  const over = fetch(`${url}/a2a${path}`, { ...init, signal: leaving.signal }).catch(() => {})
  return () => {
    leaving.abort()
    return over
  }
}

describe.each(bindings)('over %s', (binding) => {
  test('STR-DISCONNECT-PERSIST: the work goes on when the client that watches it has gone', async () => {
    const probe = await startProbe({ settings: { streamArtifacts: true } })
    const message = userMessage('working; chunks 5 every 20ms')
    const stream = await probe.stream(binding, 'SendStreamingMessage', { message })
    const { id } = (await stream.frames.next()).value!.task!
    await stream.frames.next()
    stream.close()
    const { artifacts } = await untilState(probe, id, 'COMPLETED')
    expect(artifacts![0]!.parts.map(({ text }) => text)).toEqual(
      [1, 2, 3, 4, 5].map((nth) => `chunk-${nth} `),
    )
  })

  test('STR-DISCONNECT-PERSIST: the work goes on when the client that waits for its end has gone', async () => {
    const held = gate()
    const agent = testAgent(async (task) => {
      await task.step('work', () => held.pass())
      await task.artifact({ name: 'result', text: 'done all the same' })
    })
    const probe = await startProbe({ agent })
    const leave = beginBlocking(probe, binding)
    await held.entered
    await leave()
    held.open()
    const { result } = await probe.call(binding, 'ListTasks', {})
    const { artifacts } = await untilState(probe, result.tasks[0].id, 'COMPLETED')
    expect(artifacts![0]!.parts[0]!.text).toBe('done all the same')
  })

  test('EARLY-CLOSE: a stream ends with the state of the task, not with the agent’s turn', async () => {
    const agent = testAgent(async (task) => {
      await task.authorize({ operation: { deploy: 1 }, explain: (url) => `Approve at ${url}` })
      await task.artifact({ name: 'result', text: 'deployed' })
    })
    const probe = await startProbe({ agent })
    const stream = await probe.stream(binding, 'SendStreamingMessage', { message: userMessage('go') })
    const { id } = (await framesUntil(stream, 'TASK_STATE_AUTH_REQUIRED'))[0]!.task!
    await probe.call(binding, 'SendMessage', { message: userMessage('another task has its turn meanwhile') })
    await approve(probe, id)
    const rest = await allFrames(stream)
    expect(rest.map(({ statusUpdate }) => statusUpdate?.status.state)).toEqual([
      'TASK_STATE_WORKING',
      undefined,
      'TASK_STATE_COMPLETED',
    ])
  })

  test('MIDSTREAM-THROW: a run that throws ends its stream with TASK_STATE_FAILED, and nothing else in it', async () => {
    const probe = await startProbe({ settings: { streamArtifacts: true } })
    const message = userMessage('chunks 2 then throw secret')
    const frames = await allFrames(await probe.stream(binding, 'SendStreamingMessage', { message }))
    expect(frames.map((frame) => Object.keys(frame)[1])).toEqual([
      'task',
      'artifactUpdate',
      'artifactUpdate',
      'statusUpdate',
    ])
    const { result } = await probe.call(binding, 'GetTask', { id: frames[0]!.task!.id })
    expect(frames.at(-1)!.statusUpdate!.status).toEqual(result.status)
    expect(result.status.state).toBe('TASK_STATE_FAILED')
  })

  test('SSE-UNICODE-SEPARATORS: no character of a text breaks a frame', async () => {
    const strange = 'a\u2028b\u2029c\u0085d\re\nf\r\ng\u0000h\ufeffi \u{1f600} data: x\n\nid: 9'
    const agent = testAgent((task) => task.artifact({ name: 'strange', text: strange }))
    const probe = await startProbe({ agent })
    const stream = await probe.stream(binding, 'SendStreamingMessage', { message: userMessage('go') })
    const frames = await allFrames(stream)
    expect(frames.map(({ id }) => id)).toEqual(['1', '2', '3'])
    expect(frames[1]!.artifactUpdate!.artifact.parts[0]!.text).toBe(strange)
  })
})

test.each(jsonBindings)(
  'SSE-UNICODE-SEPARATORS: over %s each frame is one line of data on the wire',
  async (binding) => {
    const strange = 'a\u2028b\u2029c\u0085d\re\nf\r\ng'
    const probe = await startProbe({
      agent: testAgent((task) => task.artifact({ name: 'strange', text: strange })),
    })
    const [path, init] = requestOf(binding, 'SendStreamingMessage', {
      params: { message: userMessage(strange) },
    })
    const text = await (await fetch(`${probe.url}/a2a${path}`, init)).text()
    const frames = text.split('\n\n').slice(0, -1)
    expect(frames).toHaveLength(3)
    for (const frame of frames) expect(frame).toMatch(/^id: \d+\ndata: \{[^\r\n]*\}$/)
  },
)

test('a stream says that it is one, and that nobody is to hold it back', async () => {
  const probe = await startProbe()
  const message = JSON.stringify({ message: userMessage('complete') })
  const headers = { 'A2A-Version': '1.0', 'Content-Type': 'application/json' }
  const stream = await fetch(`${probe.url}/a2a/message:stream`, { method: 'POST', headers, body: message })
  expect(Object.fromEntries(stream.headers)).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache',
    'x-accel-buffering': 'no',
  })
  // Each frame is an id and one line of data: nothing that a reader could take for more.
  for (const frame of (await stream.text()).split('\n\n').slice(0, -1)) {
    expect(frame).toMatch(/^id: \d+\ndata: \{[^\r\n]*\}$/)
  }
})

describe('SSE-IDLE-HEARTBEAT: behind a proxy', () => {
  /** Waits behind a proxy that cuts what is silent for this long, in ms. */
  const idle = 700

  const requests: [string, (id: string) => string][] = [
    ['HTTP+JSON', subscription],
    ['JSONRPC', subscriptionByRpc],
  ]
  test.each(requests)(
    'a quiet stream over %s shows signs of life, which are no events, until it ends',
    async (_, subscribe) => {
      const heartbeat = 50
      const probe = await startProbe({ settings: { heartbeat } })
      const id = await begin(probe, 'authorize')
      await untilState(probe, id, 'AUTH_REQUIRED')
      const wire = await openWire(await impatientProxy(probe.port, idle))
      wire.send(subscribe(id))
      const beats = Math.ceil((2 * idle) / heartbeat)
      await wire.until(new RegExp(`(?:^:\n[^:]*){${beats}}`, 'm'))
      await approve(probe, id)
      await wire.until(/\r\n0\r\n\r\n/)
      expect(wire.text()).toMatch(/^cache-control: no-cache\r$/im)
      expect(wire.text()).toMatch(/^x-accel-buffering: no\r$/im)
      const body = bodyOf(wire.text())
      expect(body).toContain('TASK_STATE_COMPLETED')
      // A comment line and no blank one: without those lines the frames stand as if there had been none.
      expect(body.replaceAll(/^:\n/gm, '')).toMatch(/^(?:id: \d+\ndata: \{.*\}\n\n){4}$/)
      // The stream has ended and its connection is good for more: nothing comes in between.
      wire.send('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n')
      await wire.until(/\r\n0\r\n\r\nHTTP\/1\.1 200 OK\r\n/)
    },
  )

  test('without them the proxy would have cut it', async () => {
    const probe = await startProbe({ settings: { heartbeat: 1_000_000 } })
    const id = await begin(probe, 'authorize')
    const wire = await openWire(await impatientProxy(probe.port, idle))
    wire.send(subscription(id))
    await expect(wire.until(/COMPLETED/)).rejects.toThrow('The connection ended')
  })
})

test('1,000 watchers of a task get the same frames', async () => {
  const watchers = 1000
  const probe = await startProbe({ settings: { streamArtifacts: true } })
  const id = await begin(probe, 'authorize; working; chunks 10; complete')
  await untilState(probe, id, 'AUTH_REQUIRED')
  const agent = new Agent({ maxSockets: watchers })
  const headers = { 'A2A-Version': '1.0' }
  const open = () =>
    new Promise<IncomingMessage>((resolve, reject) => {
      request(`${probe.url}/a2a/tasks/${id}:subscribe`, { agent, headers })
        .on('response', resolve)
        .on('error', reject)
        .end()
    })
  const streams = await Promise.all(Array.from({ length: watchers }, open))
  const texts = streams.map((stream) => textOf(stream))
  await approve(probe, id)
  const seen = new Set((await Promise.all(texts)).map((text) => text.replaceAll(/^:\n/gm, '')))
  expect(seen.size).toBe(1)
  expect([...seen][0]!.match(/^id: \d+$/gm)).toEqual(Array.from({ length: 15 }, (_, nth) => `id: ${nth + 2}`))
  agent.destroy()
})
