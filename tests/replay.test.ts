// The replay extension: SubscribeToTask with `Last-Event-ID`, from any event, on any task; and what happens without it.
import { replayExtension, type Task } from '@a2a-kit/task-core/protocol'
import { describe, expect, test } from 'vitest'
import { bindings, type Probe, startProbe, userMessage } from './support/probe.ts'
import { expectRefusal } from './support/refusals.ts'
import { allFrames, type Frame, framesUntil } from './support/sse.ts'

const replay = (lastEventId: string) => ({ 'A2A-Extensions': replayExtension, 'Last-Event-ID': lastEventId })
const ids = (frames: Frame[]) => frames.map(({ id }) => Number(id))
const upTo = (n: number, from = 1) => Array.from({ length: n - from + 1 }, (_, index) => from + index)
const stateIn = ({ task, statusUpdate }: Frame) =>
  (task ?? statusUpdate)?.status.state.replace('TASK_STATE_', '')

describe.each(bindings)('over %s', (binding) => {
  const subscribe = (probe: Probe, id: string, headers: Record<string, string> = {}) =>
    probe.stream(binding, 'SubscribeToTask', { id }, headers)

  /** Streams a new task to its end, and returns all there is about it. */
  async function streamed(text: string) {
    const probe = await startProbe({ settings: { streamArtifacts: true } })
    const stream = await probe.stream(binding, 'SendStreamingMessage', { message: userMessage(text) })
    const frames = await allFrames(stream)
    const { id } = frames[0]!.task!
    const { result } = await probe.call(binding, 'GetTask', { id })
    return { probe, id, frames, stored: result as Task }
  }

  test('a finished task is replayed to its end from every event, with the task as it stood there first', async () => {
    const { probe, id, frames, stored } = await streamed(
      'working; chunks 3; artifact log done; complete well',
    )
    for (const from of upTo(frames.length)) {
      const replayed = await allFrames(await subscribe(probe, id, replay(`${from}`)))
      expect(ids(replayed)).toEqual(upTo(frames.length, from))
      expect(replayed.slice(1)).toEqual(frames.slice(from))
      const statuses = frames.slice(0, from).flatMap(({ task, statusUpdate }) => task ?? statusUpdate ?? [])
      expect(replayed[0]!.task!.status).toEqual(statuses.at(-1)!.status)
    }
    const [end, ...more] = await allFrames(await subscribe(probe, id, replay(`${frames.length}`)))
    expect(end!.task).toEqual(stored)
    expect(more).toEqual([])
  })

  test('a question that was answered does not end a replay', async () => {
    const probe = await startProbe()
    const asked = await probe.call(binding, 'SendMessage', {
      message: userMessage('ask one; ask two; ask three'),
    })
    const { id } = asked.result.task
    for (const text of ['a', 'b', 'c']) {
      await probe.call(binding, 'SendMessage', { message: userMessage(text, { taskId: id }) })
    }
    const replayed = await allFrames(await subscribe(probe, id, replay('1')))
    const round = ['INPUT_REQUIRED', 'WORKING', undefined]
    expect(replayed.map(stateIn)).toEqual(['SUBMITTED', ...round, ...round, ...round, 'COMPLETED'])
    expect(ids(replayed)).toEqual(upTo(replayed.length))
  })

  test('a replay up to an open question ends with it; one that begins there follows the next turn', async () => {
    const probe = await startProbe()
    const { result } = await probe.call(binding, 'SendMessage', { message: userMessage('ask one; ask two') })
    const { id } = result.task
    await probe.call(binding, 'SendMessage', { message: userMessage('a', { taskId: id }) })
    const replayed = await allFrames(await subscribe(probe, id, replay('1')))
    expect(replayed.map(stateIn)).toEqual([
      'SUBMITTED',
      'INPUT_REQUIRED',
      'WORKING',
      undefined,
      'INPUT_REQUIRED',
    ])
    const following = await subscribe(probe, id, replay('5'))
    expect(stateIn((await following.frames.next()).value!)).toBe('INPUT_REQUIRED')
    await probe.call(binding, 'SendMessage', { message: userMessage('b', { taskId: id }) })
    expect((await allFrames(following)).map(stateIn)).toEqual(['WORKING', undefined, 'COMPLETED'])
  })

  test('a replay of a task at work goes over into what happens next', async () => {
    const probe = await startProbe({ settings: { streamArtifacts: true } })
    const message = userMessage('working; chunks 60 every 2ms')
    const stream = await probe.stream(binding, 'SendStreamingMessage', { message })
    const { id } = (await stream.frames.next()).value!.task!
    const frames = allFrames(stream)
    const replayed = allFrames(await subscribe(probe, id, replay('1')))
    expect((await replayed).slice(1)).toEqual(await frames)
  })

  test('a Last-Event-ID that is no event of the task gives the task as it is', async () => {
    const { probe, id: ended, stored } = await streamed('working; complete')
    const asked = await probe.call(binding, 'SendMessage', { message: userMessage('ask') })
    const { id: open } = asked.result.task
    const strange = [
      '0',
      '-1',
      '1.5',
      '1e0',
      '01',
      'one',
      '2 3',
      '99',
      '9999999999',
      '"1"',
      '18446744073709551617',
    ]
    for (const lastEventId of strange) {
      const frames = await allFrames(await subscribe(probe, ended, replay(lastEventId)))
      expect(frames, lastEventId).toMatchObject([{ id: '3', task: { status: stored.status } }])
      const stream = await subscribe(probe, open, replay(lastEventId))
      expect(await framesUntil(stream, 'TASK_STATE_INPUT_REQUIRED'), lastEventId).toMatchObject([{ id: '2' }])
      stream.close()
    }
  })

  test('without the extension Last-Event-ID is ignored', async () => {
    const { probe, id } = await streamed('working; complete')
    const refused = await subscribe(probe, id, { 'Last-Event-ID': '1' }).catch(({ answer }) => answer)
    expectRefusal(refused, binding, 'UNSUPPORTED_OPERATION')
    const other = { 'A2A-Extensions': 'urn:other:1', 'Last-Event-ID': '1' }
    expectRefusal(
      await subscribe(probe, id, other).catch(({ answer }) => answer),
      binding,
      'UNSUPPORTED_OPERATION',
    )
    const asked = await probe.call(binding, 'SendMessage', { message: userMessage('working; ask') })
    const open = await subscribe(probe, asked.result.task.id, { 'Last-Event-ID': '1' })
    expect((await open.frames.next()).value).toMatchObject({ id: '3', task: {} })
    open.close()
  })

  test('a subscription without an id begins with the task as it is, under the number of its last event', async () => {
    const probe = await startProbe()
    const { result } = await probe.call(binding, 'SendMessage', {
      message: userMessage('working; artifact a b; ask'),
    })
    const stream = await subscribe(probe, result.task.id, { 'A2A-Extensions': replayExtension })
    expect((await stream.frames.next()).value).toEqual({ id: '4', task: result.task })
    stream.close()
  })
})

test('the extension is declared in the card, and named in the answer of a call that activates it', async () => {
  const { card, url } = await startProbe()
  expect(card.capabilities.extensions?.map(({ uri }) => uri)).toContain(replayExtension)
  const headers = { 'A2A-Version': '1.0', 'A2A-Extensions': `urn:other:1, ${replayExtension}` }
  const answer = await fetch(`${url}/a2a/tasks`, { headers })
  expect(answer.headers.get('a2a-extensions')).toBe(replayExtension)
})
