import { describe, expect, test } from 'vitest'
import { connect } from './connect.ts'
import { fakeAgent } from './testing/fake-agent.ts'
import { drain, statusOf, taskIn } from './testing/fixtures.ts'
import {
  type Answer,
  completed,
  done,
  dropped,
  gives,
  refuses,
  scripted,
  streams,
  waiting,
  watched,
  working,
} from './testing/script.ts'

const knowsNone: Answer = ({ error }) => error('TaskNotFoundError')

describe('a task that waits', () => {
  test('after a clean end at input-required: GetTask, then a subscription that stays open', async () => {
    const { events, methods, pauses } = await watched({
      SubscribeToTask: [
        streams('end', { task: working }, statusOf('TASK_STATE_INPUT_REQUIRED')),
        streams('end', { task: waiting }, statusOf('TASK_STATE_WORKING'), done),
      ],
      GetTask: [gives(waiting), gives(completed)],
    })
    expect(events).toEqual([
      { task: working },
      statusOf('TASK_STATE_INPUT_REQUIRED'),
      statusOf('TASK_STATE_WORKING'),
      done,
    ])
    expect(methods()).toEqual(['SubscribeToTask', 'GetTask', 'SubscribeToTask', 'GetTask'])
    expect(pauses).toEqual([])
  })

  test('a task that went on between the clean end and GetTask is told as it stands', async () => {
    const { events } = await watched({
      SubscribeToTask: [streams('end', { task: waiting })],
      GetTask: [gives(completed)],
    })
    expect(events).toEqual([{ task: waiting }, { task: completed }])
  })

  test('is asked for by GetTask, where the agent says of its stream that there is no such task', async () => {
    // As servers made with a2a-go do of every task that nothing runs for.
    const { events, error, pauses } = await watched({
      SubscribeToTask: [knowsNone, knowsNone, knowsNone, streams('end', { task: working }, done)],
      GetTask: [gives(waiting), gives(waiting), gives(waiting), gives(completed)],
    })
    expect(error).toBeUndefined()
    expect(events).toEqual([{ task: waiting }, { task: working }, done])
    expect(pauses.length).toBeGreaterThan(0)
  })

  test('that has ended is told so, where the agent says the same of its stream', async () => {
    const { events, error } = await watched({ SubscribeToTask: [knowsNone], GetTask: [gives(completed)] })
    expect(error).toBeUndefined()
    expect(events).toEqual([{ task: completed }])
  })

  test('that is not there at all is an error', async () => {
    const { events, error } = await watched({ SubscribeToTask: [knowsNone], GetTask: [knowsNone] })
    expect(events).toEqual([])
    expect(error).toMatchObject({ name: 'TaskNotFoundError' })
  })

  test('is not given up while the agent answers, where streams close at every wait', async () => {
    const closing = Array.from({ length: 20 }, () => streams('end', { task: waiting }))
    const { events, error, pauses } = await watched({
      SubscribeToTask: [...closing, streams('end', { task: waiting }, done)],
      GetTask: [gives(waiting)],
    })
    expect(error).toBeUndefined()
    expect(events).toEqual([{ task: waiting }, done])
    expect(pauses.slice(0, 3)).toEqual([200, 400, 800])
    expect(Math.max(...pauses)).toBe(5000)
  })

  test('is not given up while the agent answers, where streams are cut at auth-required', async () => {
    const auth = taskIn('TASK_STATE_AUTH_REQUIRED')
    const closing = Array.from({ length: 20 }, () => streams('reset', { task: auth }))
    const { events, error } = await watched({
      SubscribeToTask: [...closing, streams('end', { task: auth }, done)],
    })
    expect(error).toBeUndefined()
    expect(events).toEqual([{ task: auth }, done])
  })

  test('CLIENT-300S: an agent without heartbeats is not given up for its silence', async () => {
    const quiet = Array.from({ length: 6 }, () => streams('hold', { task: working }))
    const fake = await fakeAgent(
      scripted({ SubscribeToTask: [...quiet, streams('end', { task: working }, done)] }),
    )
    const client = await connect(fake.url, {
      limits: { idleMs: 40 },
      retry: { attempts: 2, firstMs: 1, longestMs: 20 },
    })
    const { got, error } = await drain(client.watch('T'))
    expect(error).toBeUndefined()
    expect(got.map(({ event }) => event)).toEqual([{ task: working }, done])
  })
})

describe('an agent without streaming', () => {
  const noStreams = { card: { capabilities: {} } }

  test('is polled, with pauses that grow until something changes', async () => {
    const { events, methods, pauses } = await watched(
      {
        GetTask: [gives(working), gives(working), gives(working), gives(waiting), dropped, gives(completed)],
      },
      { agent: noStreams },
    )
    expect(events).toEqual([{ task: working }, { task: waiting }, { task: completed }])
    expect(new Set(methods())).toEqual(new Set(['GetTask']))
    expect(pauses).toEqual([200, 400, 800, 200, 200])
  })

  test('is given up once when it is away, with the tries of one call', async () => {
    const busy: Answer = ({ reply }) => reply(503, 'text/plain', 'later')
    const { error, methods } = await watched({ GetTask: [gives(working), busy] }, { agent: noStreams })
    expect(error).toMatchObject({ name: 'GaveUpError', tries: 4 })
    expect(methods()).toHaveLength(5)
  })

  test('is polled too when its card promises streams', async () => {
    const { events } = await watched({
      SubscribeToTask: [refuses],
      GetTask: [gives(working), gives(completed)],
    })
    expect(events).toEqual([{ task: working }, { task: completed }])
  })
})
