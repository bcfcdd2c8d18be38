// What a stream carries, from its first frame to its last: on both bindings, for sends and subscriptions.
import { foldArtifact, type StreamResponse, type Task } from '@a2a-kit/task-core/protocol'
import { describe, expect, test } from 'vitest'
import { bindings, startProbe, userMessage } from './support/probe.ts'
import { expectRefusal } from './support/refusals.ts'
import { get, send } from './support/send.ts'
import { shareProbe } from './support/shared-probe.ts'
import { allFrames, type Frame, framesUntil } from './support/sse.ts'

const shared = shareProbe()

/** What a frame is: the state that it brings, or `artifact`. */
const kindOf = ({ task, statusUpdate, message }: Frame): string =>
  (task ?? statusUpdate)?.status.state.replace('TASK_STATE_', '') ?? (message ? 'message' : 'artifact')

/** What a client knows after the frames, which carry no history but the first one's. */
function reduce(frames: StreamResponse[]): Task {
  const task = structuredClone(frames[0]!.task!)
  for (const { statusUpdate, artifactUpdate } of frames.slice(1)) {
    if (statusUpdate) task.status = statusUpdate.status
    if (artifactUpdate) task.artifacts = foldArtifact(task.artifacts ?? [], artifactUpdate)
  }
  return task
}

describe.each(bindings)('over %s', (binding) => {
  const probe = () => shared.probe
  const open = (text: string, more: object = {}) =>
    probe().stream(binding, 'SendStreamingMessage', { message: userMessage(text, more) })
  const subscribe = (id: string, over = binding) => probe().stream(over, 'SubscribeToTask', { id })
  const blocking = (text: string, more: object = {}) =>
    send(probe(), { binding, operation: 'SendMessage' }, { message: userMessage(text, more) })
  const submit = async (text: string): Promise<string> => {
    const configuration = { returnImmediately: true }
    const { result } = await probe().call(binding, 'SendMessage', {
      message: userMessage(text),
      configuration,
    })
    return result.task.id
  }

  test.each([
    ['completed', 'complete', ['SUBMITTED', 'COMPLETED']],
    ['completed after work', 'working; artifact a b', ['SUBMITTED', 'WORKING', 'artifact', 'COMPLETED']],
    ['failed', 'working; fail', ['SUBMITTED', 'WORKING', 'FAILED']],
    ['failed by a bug', 'chunks 2 then throw', ['SUBMITTED', 'artifact', 'FAILED']],
    ['rejected', 'reject', ['SUBMITTED', 'REJECTED']],
    ['waiting for an answer', 'ask what?', ['SUBMITTED', 'INPUT_REQUIRED']],
    [
      'waiting after work',
      'working a; working b; ask',
      ['SUBMITTED', 'WORKING', 'WORKING', 'INPUT_REQUIRED'],
    ],
  ])(
    'a stream begins with the task as it was made, and closes once it is %s [CORE-STREAM-003]',
    async (_, text, kinds) => {
      const frames = await allFrames(await open(text))
      expect(frames.map(kindOf)).toEqual(kinds)
      expect(frames[0]!.task).toBeDefined()
      expect(frames.map(({ id }) => id)).toEqual(kinds.map((_, index) => `${index + 1}`))
      const { history: _history, ...known } = reduce(frames)
      const { history: _more, ...stored } = await get(probe(), known.id, binding)
      expect(known).toEqual(stored)
    },
  )

  test('every frame has exactly one member, and names its task and context', async () => {
    const frames = await allFrames(await open('working; artifact a b; complete done'))
    for (const { id: _, ...frame } of frames) expect(Object.keys(frame)).toHaveLength(1)
    const { id: taskId, contextId } = frames[0]!.task!
    for (const { statusUpdate, artifactUpdate } of frames.slice(1)) {
      expect(statusUpdate ?? artifactUpdate).toMatchObject({ taskId, contextId })
    }
    expect(frames[2]!.artifactUpdate).toEqual({
      taskId,
      contextId,
      artifact: { artifactId: expect.any(String), name: 'a', parts: [{ text: 'b' }] },
      lastChunk: true,
    })
  })

  test('AUTH-STREAM-STAYS: one stream carries the wait, the approval and the result [AUTH-INTASK-005]', async () => {
    const stream = await open('working; authorize deploy')
    const waiting = await framesUntil(stream, 'TASK_STATE_AUTH_REQUIRED')
    const { id } = waiting[0]!.task!
    const text = `An operator must approve deploy at ${probe().url}/approve/${id}`
    expect(waiting.at(-1)!.statusUpdate!.status.message!.parts).toEqual([{ text }])
    expect((await fetch(`${probe().url}/approve/${id}`, { method: 'POST' })).status).toBe(200)
    const frames = [...waiting, ...(await allFrames(stream))]
    const kinds = ['SUBMITTED', 'WORKING', 'AUTH_REQUIRED', 'WORKING', 'artifact', 'COMPLETED']
    expect(frames.map(kindOf)).toEqual(kinds)
    expect(frames.map(({ id }) => id)).toEqual(['1', '2', '3', '4', '5', '6'])
    expect(frames[3]!.statusUpdate!.status.message).toBeUndefined()
  })

  test.each([
    ['BLOCKING-RETURNS-ON-QUESTION', 'ask Which branch?', 'INPUT_REQUIRED', /^Which branch\?$/],
    [
      'BLOCKING-RETURNS-ON-QUESTION',
      'authorize deploy',
      'AUTH_REQUIRED',
      /^An operator must approve deploy at /,
    ],
    ['QUESTION-NOT-ANNOUNCED', 'working; ask Which branch?', 'INPUT_REQUIRED', /^Which branch\?$/],
    [
      'QUESTION-NOT-ANNOUNCED',
      'working; authorize deploy',
      'AUTH_REQUIRED',
      /^An operator must approve deploy at /,
    ],
  ])('%s: a call of "%s" returns in %s, a stream carries the same', async (_, text, state, words) => {
    const { status } = await blocking(text)
    expect(status.state).toBe(`TASK_STATE_${state}`)
    expect(status.message!.parts[0]!.text).toMatch(words)
    const stream = await open(text)
    const { statusUpdate } = (await framesUntil(stream, status.state)).at(-1)!
    expect(statusUpdate!.status.message!.parts[0]!.text).toMatch(words)
    stream.close()
  })

  test('the stream of an answer begins with the task at work, without its old question', async () => {
    const { id } = await blocking('ask one; ask two')
    const frames = await allFrames(await open('first', { taskId: id }))
    expect(frames.map(kindOf)).toEqual(['WORKING', 'artifact', 'INPUT_REQUIRED'])
    expect(frames.map((frame) => frame.id)).toEqual(['3', '4', '5'])
    expect(frames[0]!.task!.status.message).toBeUndefined()
    expect(frames[0]!.task!.history!.map(({ parts }) => parts[0]!.text)).toEqual([
      'ask one; ask two',
      'one',
      'first',
    ])
  })

  test('a historyLength on a stream holds for its first frame', async () => {
    const { id } = await blocking('ask one; ask two')
    const message = userMessage('first', { taskId: id })
    const configuration = { historyLength: 1 }
    const stream = await probe().stream(binding, 'SendStreamingMessage', { message, configuration })
    const [first] = await allFrames(stream)
    expect(first!.task!.history!.map(({ messageId }) => messageId)).toEqual([message.messageId])
  })

  test.each([
    ['submitted', 'sleep 600000', 'TASK_STATE_SUBMITTED'],
    ['working', 'working on it; sleep 600000', 'TASK_STATE_WORKING'],
    ['input required', 'ask what?', 'TASK_STATE_INPUT_REQUIRED'],
    ['auth required', 'authorize deploy', 'TASK_STATE_AUTH_REQUIRED'],
  ])(
    'STREAM-FIRST-EVENT: a subscription to a task that is %s begins with it as it is [STREAM-SUB-001]',
    async (_, text, state) => {
      const id = await submit(text)
      // Its own stream, to know that the task got there.
      const own = await subscribe(id)
      await framesUntil(own, state)
      const stream = await subscribe(id)
      const { value: first } = await stream.frames.next()
      expect(first.task).toEqual(await get(probe(), id, binding))
      expect(first.task.status.state).toBe(state)
      await probe().call(binding, 'CancelTask', { id })
      const rest = await allFrames(stream)
      expect(rest.map(kindOf)).toEqual(['CANCELED'])
      expect(Number(rest[0]!.id)).toBe(Number(first.id) + 1)
      own.close()
    },
  )

  test('RESUB-INPUT-REQUIRED: a subscription to a waiting task stays open and follows the next turn', async () => {
    const { id } = await blocking('ask one; ask two; ask three')
    const stream = await subscribe(id)
    const { value: first } = await stream.frames.next()
    expect(first.task.status).toMatchObject({
      state: 'TASK_STATE_INPUT_REQUIRED',
      message: { parts: [{ text: 'one' }] },
    })
    await blocking('first', { taskId: id })
    expect((await allFrames(stream)).map(kindOf)).toEqual(['WORKING', 'artifact', 'INPUT_REQUIRED'])
    const next = await subscribe(id)
    await blocking('second', { taskId: id })
    expect((await allFrames(next)).map(kindOf).slice(-1)).toEqual(['INPUT_REQUIRED'])
  })

  test('RESUB-TERMINAL-CODE: a subscription to an ended task is refused, and to none is TaskNotFound [STREAM-SUB-003] [STREAM-SUB-004]', async () => {
    for (const text of ['complete', 'fail', 'reject', 'throw']) {
      const { id } = await blocking(text)
      const answer = await probe().call(binding, 'SubscribeToTask', { id })
      expectRefusal(answer, binding, 'UNSUPPORTED_OPERATION')
    }
    const { id } = await blocking('ask what?')
    await probe().call(binding, 'CancelTask', { id })
    const canceled = await probe().call(binding, 'SubscribeToTask', { id })
    expectRefusal(canceled, binding, 'UNSUPPORTED_OPERATION')
    for (const unknown of ['none', crypto.randomUUID()]) {
      const answer = await probe().call(binding, 'SubscribeToTask', { id: unknown })
      expectRefusal(answer, binding, 'TASK_NOT_FOUND')
    }
  })

  test('PRE-STREAM-ERROR: what is refused opens no stream, and what is taken begins with its task, once', async () => {
    const refused: ['SendStreamingMessage' | 'SubscribeToTask', object][] = [
      ['SendStreamingMessage', { message: { role: 'ROLE_USER' } }],
      ['SendStreamingMessage', { message: userMessage('hi', { taskId: crypto.randomUUID() }) }],
      ['SubscribeToTask', { id: crypto.randomUUID() }],
    ]
    for (const [operation, params] of refused) {
      await expect(probe().stream(binding, operation, params)).rejects.toThrow('not a stream')
    }
    const frames = await allFrames(await open('working; complete'))
    expect(frames.map(({ task }) => task !== undefined)).toEqual([true, false, false])
  })

  test('MULTI-STREAM: watchers over both bindings see the same, whoever leaves [STREAM-ORDER-002] [STREAM-ORDER-003] [STREAM-ORDER-004]', async () => {
    const original = await open('working; authorize deploy; working; artifact a b; artifact c d')
    const { id } = (await framesUntil(original, 'TASK_STATE_AUTH_REQUIRED'))[0]!.task!
    const watchers = await Promise.all(bindings.map((over) => subscribe(id, over)))
    const firsts = await Promise.all(watchers.map(({ frames }) => frames.next()))
    original.close()
    await fetch(`${probe().url}/approve/${id}`, { method: 'POST' })
    const [one, ...others] = await Promise.all(watchers.map(allFrames))
    for (const other of others) expect(other).toEqual(one)
    for (const { value } of firsts) expect(value).toEqual(firsts[0]!.value)
    const kinds = ['WORKING', 'artifact', 'WORKING', 'artifact', 'artifact', 'COMPLETED']
    expect(one!.map(kindOf)).toEqual(kinds)
    expect(reduce([firsts[0]!.value, ...one!])).toEqual(await get(probe(), id, binding))
  })
})

test.each(bindings)(
  'ARTIFACT-REDUCE: over %s chunks add up to what is stored, whoever reads them',
  async (binding) => {
    const probe = await startProbe({ settings: { streamArtifacts: true } })
    const message = userMessage('artifact first one; chunks 5; artifact last one')
    const frames = await allFrames(await probe.stream(binding, 'SendStreamingMessage', { message }))
    const chunks = frames.flatMap(({ artifactUpdate }) =>
      artifactUpdate?.artifact.name === 'chunks' ? [artifactUpdate] : [],
    )
    expect(chunks.map(({ append, lastChunk }) => [append, lastChunk])).toEqual([
      [undefined, undefined],
      [true, undefined],
      [true, undefined],
      [true, undefined],
      [true, true],
    ])
    expect(new Set(chunks.map(({ artifact }) => artifact.artifactId)).size).toBe(1)
    const stored = await get(probe, frames[0]!.task!.id, binding)
    expect(stored.artifacts!.map(({ name }) => name)).toEqual(['first', 'chunks', 'last'])
    const text = stored.artifacts![1]!.parts.map((part) => part.text).join('')
    expect(text).toBe('chunk-1 chunk-2 chunk-3 chunk-4 chunk-5 ')
    expect(reduce(frames)).toEqual(stored)
    expect(await send(probe, { binding, operation: 'SendMessage' }, { message })).toEqual(stored)
  },
)
