// Streams over gRPC and their connections: the same as over SSE, kept alive while they are quiet, and ended by a stop.

import { connect } from '@a2a-kit/client'
import { fold, isTerminal, type Message, type StreamResponse, type Task } from '@a2a-kit/task-core/protocol'
import { expect, test } from 'vitest'
import { freePort } from '../scripts/ports.ts'
import { gate, testAgent } from './support/agent.ts'
import { startChild } from './support/child.ts'
import { grpcStream } from './support/grpc.ts'
import { bindings, type Probe, startProbe, userMessage } from './support/probe.ts'
import { seeded } from './support/random.ts'
import { allFrames, type Frame } from './support/sse.ts'
import { begin } from './support/talk.ts'
import { until, untilState } from './support/wait.ts'
import { impatientProxy } from './support/wire.ts'

test('MULTI-STREAM: streams over gRPC and over SSE bring the same events, with the same numbers, in the same order [GRPC-ERR-003]', async () => {
  const go = gate()
  const agent = testAgent(async (task) => {
    await task.step('wait', () => go.pass())
    await task.working('half way')
    await task.step('write', async ({ out }) => {
      for (let nth = 0; nth < 50; nth += 1) await out.append({ name: 'text', text: `${nth}\u2028\u0000 ` })
    })
    await task.artifact({ name: 'data', data: { nothing: null, list: [1.5, '', {}] } })
    return 'done'
  })
  const probe = await startProbe({ agent, settings: { streamArtifacts: true } })
  const id = await begin(probe)
  const streams = await Promise.all(
    [...bindings, ...bindings].map((binding) => probe.stream(binding, 'SubscribeToTask', { id })),
  )
  const firsts = await Promise.all(streams.map(async ({ frames }) => (await frames.next()).value as Frame))
  go.open()
  const rests = await Promise.all(streams.map(allFrames))
  // Over gRPC what equals its default is not sent: append is false where it is absent.
  const plain = ({ artifactUpdate, ...frame }: Frame): Frame => {
    const { append, lastChunk, ...update } = artifactUpdate ?? {}
    return artifactUpdate
      ? ({
          ...frame,
          artifactUpdate: { ...update, append: append ?? false, lastChunk: lastChunk ?? false },
        } as Frame)
      : frame
  }
  const [first, ...others] = rests.map((rest, nth) => [firsts[nth]!, ...rest].map(plain))
  expect(first!.length).toBeGreaterThan(53)
  expect(first!.map(({ id: number }) => Number(number))).toEqual(first!.map((_, nth) => nth + 1))
  for (const other of others) expect(other).toEqual(first)
})

/** Follows a new task through streams that it leaves after a few events, to its end. */
async function followThrough(probe: Probe, below: (n: number) => number) {
  const message = userMessage('working; chunks 24 every 3ms; complete')
  let task: Task | undefined
  let cuts = 0
  while (!task || !isTerminal(task.status.state)) {
    const { id } = task ?? {}
    const opening = id
      ? probe.stream('GRPC', 'SubscribeToTask', { id })
      : probe.stream('GRPC', 'SendStreamingMessage', { message })
    const stream = await opening.catch(({ answer }) => answer)
    if (!('frames' in stream)) {
      expect(stream.error.reason).toBe('UNSUPPORTED_OPERATION') // it has ended meanwhile
      task = (await probe.call('GRPC', 'GetTask', { id })).result as Task
      break
    }
    let left = 1 + below(8)
    for await (const { id: _, ...event } of stream.frames as AsyncIterable<Frame>) {
      task = fold(task, { frame: event })
      left -= 1
      if (left === 0) break
    }
    if (left === 0) cuts += 1
    stream.close()
  }
  return { task, cuts }
}

test('RESUB-GAP: over gRPC a client that leaves and comes back misses nothing and gets nothing twice', async () => {
  const { seed, below } = seeded()
  console.log(`seed ${seed}`)
  const probe = await startProbe({ settings: { streamArtifacts: true } })
  let made = 0
  while (made < 200) {
    const clients = Array.from({ length: 10 }, () => followThrough(probe, below))
    for (const { task, cuts } of await Promise.all(clients)) {
      made += cuts
      const { result } = await probe.call('GRPC', 'GetTask', { id: task.id })
      expect(task.artifacts).toEqual(result.artifacts)
      const text = task.artifacts![0]!.parts.map((part) => part.text).join('')
      expect(text).toBe(Array.from({ length: 24 }, (_, nth) => `chunk-${nth + 1} `).join(''))
    }
  }
})

test('half a character, which bytes cannot say, is told as U+FFFD, and breaks nothing', async () => {
  const text = 'half \ud83d and \ude00, whole \u{1f600}, and C:\\ud83d \\\ud83d'
  const agent = testAgent((task) =>
    task.artifact({ name: 'text', parts: [{ text }, { data: { [text]: text } }] }),
  )
  const probe = await startProbe({ agent })
  const mended = text.toWellFormed()
  const parts = [{ text: mended }, { data: { [mended]: mended } }]
  const stream = await probe.stream('GRPC', 'SendStreamingMessage', { message: userMessage('go') })
  const [, frame] = await allFrames(stream)
  expect(frame!.artifactUpdate!.artifact.parts).toEqual(parts)
  const { result } = await probe.call('GRPC', 'GetTask', { id: frame!.artifactUpdate!.taskId })
  expect(result.artifacts[0].parts).toEqual(parts)
})

test('SSE-IDLE-HEARTBEAT: a quiet stream over gRPC is kept alive through a proxy that cuts what is silent', async () => {
  const idle = 700
  const go = gate()
  const agent = testAgent((task) => task.step('wait', () => go.pass()))
  const probe = await startProbe({ agent, settings: { heartbeat: 50 } })
  const id = await begin(probe)
  const proxy = await impatientProxy(probe.grpcPort!, idle)
  const stream = await grpcStream(`127.0.0.1:${proxy}`, 'SubscribeToTask', { id })
  await stream.frames.next()
  // Another connection that is as quiet, and as long: without pings it is cut, and so this one would have been.
  const cut = await impatientProxy(
    (await startProbe({ agent, settings: { heartbeat: 60_000 } })).grpcPort!,
    idle,
  )
  const silent = await grpcStream(`127.0.0.1:${cut}`, 'SendStreamingMessage', { message: userMessage('go') })
  await expect(allFrames(silent)).rejects.toMatchObject({ code: 14 })
  go.open()
  expect((await allFrames(stream)).at(-1)!.statusUpdate!.status.state).toBe('TASK_STATE_COMPLETED')
})

test('a stop of the process ends what is open over gRPC, is clean, and the client goes on where it was', async () => {
  const before = await startChild({ env: { GRPC_PORT: `${await freePort()}`, LOG_LEVEL: 'warn' } })
  const retry = { attempts: 1000, firstMs: 20, longestMs: 200 }
  const client = await until('gRPC in the card', () =>
    connect(before.url, { bindings: ['GRPC'], retry }).catch(() => undefined),
  )
  const message = (text: string) => userMessage(text) as Message
  const { task } = await client.sendMessage(message('working; sleep 1000; complete rested'), {
    returnImmediately: true,
  })
  const seen: StreamResponse[] = []
  const watching = (async () => {
    for await (const { event } of client.watch(task!.id)) seen.push(event)
  })()
  const blocking = client.sendMessage(message('working; sleep 1000; complete too'))
  await until('the watch has begun', () => seen.length > 1)
  const grpcPort = client.card.supportedInterfaces
    .find(({ protocolBinding }) => protocolBinding === 'GRPC')!
    .url.split(':')[1]!
  expect(await before.end('SIGTERM')).toBe(0)
  expect(before.log()).not.toMatch(/"level":[56]0/)

  const after = await before.again({ env: { GRPC_PORT: grpcPort, LOG_LEVEL: 'warn' } })
  await watching
  expect(seen.at(-1)!.statusUpdate!.status.state).toBe('TASK_STATE_COMPLETED')
  // The same message again is the same task: it was not sent twice.
  expect((await blocking).task!.status.state).toBe('TASK_STATE_COMPLETED')
  const { result } = await after.call('JSONRPC', 'ListTasks', {})
  expect(result.totalSize).toBe(2)
  await untilState(after, task!.id, 'COMPLETED')
})
