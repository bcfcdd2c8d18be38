import { type AgentCard, replayExtension } from '@a2a-kit/task-core/protocol'
import { describe, expect, test } from 'vitest'
import type { Exchange } from './testing/fake-agent.ts'
import { chunkOf, statusOf, taskIn } from './testing/fixtures.ts'
import { completed, done, dropped, gives, streams, waiting, watched, working } from './testing/script.ts'

const replays: Partial<AgentCard> = {
  capabilities: { streaming: true, extensions: [{ uri: replayExtension }] },
}

const lastIds = (exchanges: Exchange[]) => exchanges.map(({ headers }) => headers['last-event-id'])

describe('with the replay extension', () => {
  const agent = { card: replays }

  test('activates it, and names the last event that was seen when it subscribes again', async () => {
    const { exchanges } = await watched(
      {
        SubscribeToTask: [
          streams('reset', [1, { task: working }], [2, chunkOf('a')]),
          dropped,
          streams('end', [2, { task: working }], [3, done]),
        ],
      },
      { agent },
    )
    expect(exchanges.map(({ headers }) => headers['a2a-extensions'])).toEqual(Array(3).fill(replayExtension))
    expect(lastIds(exchanges)).toEqual([undefined, '2', '2'])
  })

  test('gives each event once, whatever the agent repeats', async () => {
    const before = { ...working, artifacts: [{ artifactId: 'a1', parts: [{ text: 'a' }, { text: 'b' }] }] }
    const { got } = await watched(
      {
        SubscribeToTask: [
          streams('reset', [1, { task: working }], [2, chunkOf('a')], [3, chunkOf('b')]),
          streams('reset', [3, { task: before }], [3, chunkOf('b')], [4, chunkOf('c')]),
          streams(
            'end',
            [1, { task: working }],
            [2, chunkOf('a')],
            [3, chunkOf('b')],
            [4, chunkOf('c')],
            [5, done],
          ),
        ],
      },
      { agent },
    )
    expect(got.map(({ eventId }) => eventId)).toEqual(['1', '2', '3', '4', '5'])
    expect(got.at(-1)?.task.artifacts?.[0]?.parts.map(({ text }) => text)).toEqual(['a', 'b', 'c'])
  })

  test('takes the current task where the agent cannot replay', async () => {
    const later = taskIn('TASK_STATE_WORKING', { metadata: { later: true } })
    const { got } = await watched(
      {
        SubscribeToTask: [
          streams('reset', [1, { task: working }]),
          streams('end', [8, { task: later }], [8, statusOf('TASK_STATE_WORKING')], [9, done]),
        ],
      },
      { agent },
    )
    expect(got.map(({ event, eventId }) => [eventId, event])).toEqual([
      ['1', { task: working }],
      ['8', { task: later }],
      ['9', done],
    ])
  })

  test('starts at a given event with a task event, and takes what only a snapshot has, silently', async () => {
    const metadata = { kept: 'by the agent' }
    const history = [{ messageId: 'm1', role: 'ROLE_USER' as const, parts: [{ text: 'hello' }] }]
    const { got, exchanges } = await watched(
      {
        SubscribeToTask: [
          streams('reset', [4, { task: working }]),
          streams('end', [4, { task: { ...working, history, metadata } }], [5, done]),
        ],
      },
      { agent, lastEventId: '4' },
    )
    expect(lastIds(exchanges)).toEqual(['4', '4'])
    expect(got).toEqual([
      { event: { task: working }, eventId: '4', task: working },
      { event: done, eventId: '5', task: { ...completed, history, metadata } },
    ])
  })

  test('replays a task that ended meanwhile, instead of only its end', async () => {
    const { events, methods } = await watched(
      {
        SubscribeToTask: [
          streams('end', [1, { task: working }], [2, statusOf('TASK_STATE_INPUT_REQUIRED')]),
          streams(
            'end',
            [2, { task: waiting }],
            [3, statusOf('TASK_STATE_WORKING')],
            [4, chunkOf('a')],
            [5, done],
          ),
        ],
        GetTask: [gives(completed)],
      },
      { agent },
    )
    expect(events.slice(2)).toEqual([statusOf('TASK_STATE_WORKING'), chunkOf('a'), done])
    expect(methods()).toEqual(['SubscribeToTask', 'GetTask', 'SubscribeToTask'])
  })

  test('without it no Last-Event-ID is sent, and ids are only passed on', async () => {
    const { got, exchanges } = await watched(
      {
        SubscribeToTask: [
          streams('reset', [7, { task: working }]),
          streams('end', [7, { task: working }], [7, done]),
        ],
      },
      { lastEventId: '3' },
    )
    expect(new Set(lastIds(exchanges))).toEqual(new Set([undefined]))
    expect(exchanges[0]?.headers['a2a-extensions']).toBeUndefined()
    expect(got.map(({ eventId }) => eventId)).toEqual(['7', '7'])
  })
})
