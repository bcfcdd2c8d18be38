// Streams of 0.3 over both of its bindings: the task first, `final` on the event that ends them, subscriptions and replays.
import { replayExtension } from '@a2a-kit/task-core/protocol'
import { describe, expect, test } from 'vitest'
import { operate } from './support/operator.ts'
import { startProbe } from './support/probe.ts'
import { bindings03, type Event03, talk03 } from './support/v03.ts'

const start = async (make: (typeof bindings03)[number][1], options = {}) => {
  const probe = await startProbe(options)
  return { probe, client: make(talk03(`${probe.url}/a2a`)) }
}

/** What an event says, in short. */
const short = ({ task, status, artifact, message }: Event03): string =>
  task
    ? `task ${task.status.state}`
    : status
      ? `${status.status.state}${status.final ? ' final' : ''}`
      : artifact
        ? 'artifact'
        : message && 'message'

describe.each(bindings03)('over %s', (_, make) => {
  test('a stream begins with the task and ends with its end, which is final and nothing before it is', async () => {
    const { client } = await start(make)
    const events = await Array.fromAsync(client.stream('working; artifact a b; complete'))
    expect(events.map(short)).toEqual([
      `task ${client.state('SUBMITTED')}`,
      client.state('WORKING'),
      'artifact',
      `${client.state('COMPLETED')} final`,
    ])
    expect(
      new Set(events.map(({ task, status, artifact }) => task?.id ?? (status ?? artifact).taskId)).size,
    ).toBe(1)
  })

  test.each(['FAILED', 'REJECTED', 'CANCELED'])('%s is final, too', async (state) => {
    const { client } = await start(make)
    const command = { FAILED: 'fail', REJECTED: 'reject no', CANCELED: 'sleep 60000' }[state]!
    const events: Event03[] = []
    for await (const event of client.stream(command)) {
      events.push(event)
      if (state === 'CANCELED' && event.task) void client.cancel(event.task.id)
    }
    expect(short(events.at(-1)!)).toBe(`${client.state(state)} final`)
  })

  test('a question ends the stream, and its answer begins another', async () => {
    const { client } = await start(make)
    const events = await Array.fromAsync(client.stream('working; ask Which?'))
    expect(short(events.at(-1)!)).toBe(`${client.state('INPUT_REQUIRED')} final`)
    const taskId = events[0]!.task.id
    const further = await Array.fromAsync(client.stream('main', { taskId }))
    expect(short(further[0]!)).toBe(`task ${client.state('WORKING')}`)
    expect(further.map(short)).toContain('artifact')
    expect(short(further.at(-1)!)).toBe(`${client.state('COMPLETED')} final`)
  })

  test('a wait for an approval is not final, and the stream goes on when it is there', async () => {
    const { probe, client } = await start(make)
    const events: string[] = []
    let id = ''
    for await (const event of client.stream('authorize it')) {
      id ||= event.task?.id
      events.push(short(event))
      if (event.status?.status.state === client.state('AUTH_REQUIRED')) await operate(probe, 'approve', id)
    }
    expect(events).toContain(client.state('AUTH_REQUIRED'))
    expect(events.at(-1)).toBe(`${client.state('COMPLETED')} final`)
  })

  test('a direct reply is a stream of one message', async () => {
    const { client } = await start(make)
    expect((await Array.fromAsync(client.stream('reply hi'))).map(short)).toEqual(['message'])
  })

  test('a subscription gives the task as it is and what comes after, to the end', async () => {
    const { client } = await start(make)
    const { task } = await client.send('ask Which?; complete')
    const events: string[] = []
    for await (const event of client.subscribe(task.id)) {
      events.push(short(event))
      if (event.task) await client.send('main', { taskId: task.id }, { blocking: false })
    }
    expect(events[0]).toBe(`task ${client.state('INPUT_REQUIRED')}`)
    expect(events.slice(1, 2)).toEqual([client.state('WORKING')])
    expect(events.at(-1)).toBe(`${client.state('COMPLETED')} final`)
  })

  test('a subscription to a task that has ended gives the task and ends', async () => {
    const { client } = await start(make)
    const { task } = await client.send('complete')
    const events = await Array.fromAsync(client.subscribe(task.id))
    expect(events.map(short)).toEqual([`task ${client.state('COMPLETED')}`])
  })

  test('a lost stream is replayed where the extension is active: a question that is past is not final', async () => {
    const { client } = await start(make)
    const before = await Array.fromAsync(client.stream('working; ask Which?; complete'))
    const { id: taskId } = before[0]!.task
    await client.send('main', { taskId })
    const replay = (headers: Record<string, string>) =>
      Array.fromAsync(client.subscribe(taskId, { 'Last-Event-ID': before[0]!.id!, ...headers }))
    for (const name of ['X-A2A-Extensions', 'A2A-Extensions']) {
      const events = await replay({ [name]: replayExtension })
      expect(events.map(short)).toEqual([
        `task ${client.state('SUBMITTED')}`,
        client.state('WORKING'),
        client.state('INPUT_REQUIRED'),
        client.state('WORKING'),
        'artifact',
        `${client.state('COMPLETED')} final`,
      ])
    }
    expect((await replay({})).map(short)).toEqual([`task ${client.state('COMPLETED')}`])
  })

  test('an agent that does not stream says so', async () => {
    const { client } = await start(make, { capabilities: { streaming: false } })
    if (client.name === 'JSON-RPC') {
      expect(await Array.fromAsync(client.stream('complete'))).toMatchObject([{ error: { code: -32004 } }])
    } else {
      const refused = Array.fromAsync(client.stream('complete'))
      await expect(refused).rejects.toMatchObject({ answer: { status: 400, body: { code: -32004 } } })
    }
  })
})
