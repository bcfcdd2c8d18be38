import { fold, type StreamResponse, type Task } from '@a2a-kit/task-core/protocol'
import { describe, expect, test } from 'vitest'
import { connect } from './connect.ts'
import { GaveUpError } from './errors.ts'
import { bothBindings, fakeAgent } from './testing/fake-agent.ts'
import { chunkOf } from './testing/fixtures.ts'
import {
  type Answer,
  completed,
  done,
  dropped,
  gives,
  refuses,
  streams,
  watched,
  working,
} from './testing/script.ts'

describe.each(bothBindings)('CLIENT-CUT-VS-END: watching over %s', (binding) => {
  const agent = { binding }

  test('goes from the task to its terminal event, with the task after each, and stops there', async () => {
    const { events, got, methods } = await watched(
      { SubscribeToTask: [streams('hold', { task: working }, chunkOf('a'), chunkOf('b'), done)] },
      { agent },
    )
    expect(events).toEqual([{ task: working }, chunkOf('a'), chunkOf('b'), done])
    const artifact = (...texts: string[]) => [{ artifactId: 'a1', parts: texts.map((text) => ({ text })) }]
    expect(got.map(({ task }) => task)).toEqual([
      working,
      { ...working, artifacts: artifact('a') },
      { ...working, artifacts: artifact('a', 'b') },
      { ...completed, artifacts: artifact('a', 'b') },
    ])
    expect(methods()).toEqual(['SubscribeToTask', 'GetTask'])
  })

  test('ends with the task as the agent stored it, whatever its stream lost, and however late it is stored', async () => {
    const stored = { ...completed, artifacts: [{ artifactId: 'a1', parts: [{ text: 'a' }, { text: 'b' }] }] }
    const { events, got, methods } = await watched(
      {
        SubscribeToTask: [streams('end', { task: working }, chunkOf('b'), done)],
        GetTask: [gives(working), gives(stored)],
      },
      { agent },
    )
    expect(events).toEqual([{ task: working }, chunkOf('b'), done])
    expect(got.at(-1)?.task).toEqual(stored)
    expect(methods()).toEqual(['SubscribeToTask', 'GetTask', 'GetTask'])
  })

  test.each(['end', 'reset'] as const)(
    'subscribes again after a cut (%s), and the first task frame reconciles: only the end is asked for',
    async (how) => {
      const artifacts = [{ artifactId: 'a1', parts: [{ text: 'a' }, { text: 'b' }] }]
      const { events, got, methods } = await watched(
        {
          SubscribeToTask: [
            streams(how, { task: working }, chunkOf('a')),
            streams('end', { task: { ...working, artifacts } }, chunkOf('c'), done),
          ],
        },
        { agent },
      )
      expect(events).toEqual([
        { task: working },
        chunkOf('a'),
        { task: { ...working, artifacts } },
        chunkOf('c'),
        done,
      ])
      expect(
        got
          .at(-1)
          ?.task.artifacts?.[0]?.parts.map(({ text }) => text)
          .join(''),
      ).toBe('abc')
      expect(methods()).toEqual(['SubscribeToTask', 'SubscribeToTask', 'GetTask'])
    },
  )

  test('half a frame is dropped, and a first frame that says nothing new is not an event', async () => {
    const { events } = await watched(
      {
        SubscribeToTask: [
          ({ stream }) =>
            stream().frame({ task: working }).raw('data: {"jsonrpc":"2.0","id":1,"resu').reset(),
          streams('end', { task: { ...working, history: [] } }, done),
        ],
      },
      { agent },
    )
    expect(events).toEqual([{ task: working }, done])
  })

  test('asks GetTask for the end when the task ended while the stream was away', async () => {
    const { events, methods } = await watched(
      { SubscribeToTask: [streams('reset', { task: working }), refuses], GetTask: [gives(completed)] },
      { agent },
    )
    expect(events).toEqual([{ task: working }, { task: completed }])
    expect(methods()).toEqual(['SubscribeToTask', 'SubscribeToTask', 'GetTask'])
  })

  test('a task that has ended before is one event', async () => {
    const { events } = await watched({ SubscribeToTask: [refuses], GetTask: [gives(completed)] }, { agent })
    expect(events).toEqual([{ task: completed }])
  })

  test.each(['end', 'reset'] as const)(
    'gives up, with how often and how long, when the same is told again and again (%s)',
    async (how) => {
      const { error, pauses, methods } = await watched(
        { SubscribeToTask: [streams(how, { task: working }, chunkOf('a'))] },
        { agent },
      )
      expect(error).toBeInstanceOf(GaveUpError)
      expect((error as Error).message).toMatch(
        /^Gave up on task T of fake at 127\.0\.0\.1:\d+ after 4 tries in 1\.4 s\. The stream was cut/,
      )
      expect(pauses).toEqual([200, 400, 800])
      expect(methods()).toHaveLength(4)
    },
  )

  test('counts from the beginning after progress', async () => {
    const { error, pauses } = await watched(
      {
        SubscribeToTask: [
          dropped,
          dropped,
          dropped,
          streams('reset', { task: working }),
          dropped,
          dropped,
          streams('end', { task: completed }),
        ],
      },
      { agent },
    )
    expect(error).toBeUndefined()
    expect(pauses).toEqual([200, 400, 800, 200, 400, 800])
  })

  test('an agent that is gone is given up with the connection error', async () => {
    const { error } = await watched({ SubscribeToTask: [dropped] }, { agent })
    expect(error).toBeInstanceOf(GaveUpError)
    expect((error as Error).message).toMatch(/No answer from 127\.0\.0\.1:\d+: it dropped the connection/)
  })

  test('an unknown task and any other refusal are thrown as they are', async () => {
    const unknown: Answer = ({ error }) => error('TaskNotFoundError', 'No task T.')
    const { error, methods } = await watched({ SubscribeToTask: [unknown], GetTask: [unknown] }, { agent })
    expect(error).toMatchObject({ name: 'TaskNotFoundError', message: 'No task T.' })
    expect(methods()).toEqual(['SubscribeToTask', 'GetTask'])
  })

  test('a server that stops, in the middle of a stream or before it, is waited for', async () => {
    const stopping: Answer = ({ error }) => error('UnavailableError', 'Stopping.')
    const { events } = await watched(
      {
        SubscribeToTask: [
          ({ stream }) => stream().frame({ task: working }).error('UnavailableError').end(),
          stopping,
          streams('end', { task: working }, done),
        ],
      },
      { agent },
    )
    expect(events).toEqual([{ task: working }, done])
  })

  test('a stream about another task, or one that does not begin with the task, is an invalid answer', async () => {
    for (const frames of [
      [done],
      [{ task: { ...working, id: 'other' } }],
      [{ message: { messageId: 'm', parts: [] } }],
    ]) {
      const { error } = await watched(
        { SubscribeToTask: [streams('end', ...(frames as StreamResponse[]))] },
        { agent },
      )
      expect(error).toMatchObject({ name: 'InvalidAgentResponseError' })
    }
  })
})

test('ARTIFACT-REDUCE: the task after the last event is the fold of all events', async () => {
  const replaced = { append: false, artifact: { artifactId: 'a1', parts: [{ text: 'Bye' }] } }
  const added = { artifact: { artifactId: 'a9', parts: [{ text: 'new' }] } }
  const frames = [
    { task: working },
    chunkOf('Hello'),
    chunkOf(' world'),
    chunkOf('', replaced),
    chunkOf('', added),
    done,
  ]
  const { got } = await watched({ SubscribeToTask: [streams('end', ...frames)] })
  const folded = frames.reduce<Task | undefined>((task, frame) => fold(task, { frame }), undefined)
  expect(got.at(-1)?.task).toEqual(folded)
  expect(folded?.artifacts?.map(({ parts }) => parts[0]?.text)).toEqual(['Bye', 'new'])
})

test('leaving a watch closes its connection, and an abort ends it with its reason', async () => {
  let closed: Promise<void> | undefined
  const { url } = await fakeAgent(({ stream }) => (closed = stream().frame({ task: working }).closed))
  const client = await connect(url)
  for await (const _ of client.watch('T')) break
  await closed

  const stop = new AbortController()
  const read = async () => {
    for await (const _ of client.watch('T', { signal: stop.signal })) stop.abort(new Error('enough'))
  }
  await expect(read()).rejects.toThrow('enough')
  await closed
})
