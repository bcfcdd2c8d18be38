// Artifacts of a step: whole by default, or in chunks with STREAM_ARTIFACTS; what a client puts together is the same.
import { type Agent, TaskError } from '@a2a-kit/task-core'
import { type Artifact, foldArtifact, type TaskArtifactUpdateEvent } from '@a2a-kit/task-core/protocol'
import { describe, expect, test } from 'vitest'
import { testAgent } from './support/agent.ts'
import { bindings, startProbe, userMessage } from './support/probe.ts'
import { allFrames } from './support/sse.ts'

/** Two artifacts, chunk by chunk and in turns; a third in one piece. */
const writing: Agent['run'] = async (task) => {
  await task.step('write', async ({ out }) => {
    await out.append({ name: 'report', description: 'What was found.', text: 'one ' })
    await out.append({ name: 'rows', data: { row: 1 } })
    await out.append({ name: 'report', text: 'two ' })
    await out.append({ name: 'rows', data: { row: 2 } })
    await out.append({ name: 'report', text: 'three' })
    await out.append({ name: 'note', text: 'short' })
  })
}

const run = async (agent: Agent, streamArtifacts: boolean, binding = bindings[0]!) => {
  const probe = await startProbe({ agent, settings: { streamArtifacts } })
  const stream = await probe.stream(binding, 'SendStreamingMessage', { message: userMessage('go') })
  const frames = await allFrames(stream)
  const { result } = await probe.call(binding, 'GetTask', { id: frames[0]!.task!.id })
  const updates = frames.flatMap(({ artifactUpdate }) => artifactUpdate ?? [])
  return { updates, artifacts: (result.artifacts ?? []) as Artifact[], state: result.status.state as string }
}

const folded = (updates: TaskArtifactUpdateEvent[]) => updates.reduce(foldArtifact, [] as Artifact[])
const names = (updates: TaskArtifactUpdateEvent[]) => updates.map(({ artifact }) => artifact.name)
const texts = (artifacts: Artifact[], name: string) =>
  artifacts.find((one) => one.name === name)!.parts.map(({ text }) => text)

describe.each(bindings)('over %s', (binding) => {
  test('artifacts come whole, at the end of their step', async () => {
    const { updates, artifacts } = await run(testAgent(writing), false, binding)
    expect(names(updates)).toEqual(['report', 'rows', 'note'])
    expect(updates.map(({ append, lastChunk }) => [append, lastChunk])).toEqual(
      updates.map(() => [undefined, true]),
    )
    expect(folded(updates)).toEqual(artifacts)
    expect(artifacts[0]).toMatchObject({ name: 'report', description: 'What was found.' })
    expect(texts(artifacts, 'report')).toEqual(['one two three'])
    expect(artifacts[1]!.parts.map(({ data }) => data)).toEqual([{ row: 1 }, { row: 2 }])
  })

  test('with STREAM_ARTIFACTS they come in chunks as they are made, the last marked, no text twice', async () => {
    const { updates, artifacts } = await run(testAgent(writing), true, binding)
    const report = updates.filter(({ artifact }) => artifact.name === 'report')
    expect(report.map(({ artifact }) => artifact.parts[0]!.text)).toEqual(['one ', 'two ', 'three'])
    expect(report.map(({ append, lastChunk }) => [append ?? false, lastChunk ?? false])).toEqual([
      [false, false],
      [true, false],
      [true, true],
    ])
    expect(updates.find(({ artifact }) => artifact.name === 'note')).toMatchObject({ lastChunk: true })
    expect(updates.filter(({ lastChunk }) => lastChunk)).toHaveLength(3)
    expect(new Set(updates.map(({ artifact }) => artifact.artifactId)).size).toBe(3)
    expect(folded(updates)).toEqual(artifacts)
    expect(texts(artifacts, 'report').join('')).toBe('one two three')
  })
})

test('a step that fails leaves no artifact behind where artifacts come whole', async () => {
  const failing = testAgent(async (task) => {
    await task.step('write', async ({ out }) => {
      await out.append({ name: 'report', text: 'half ' })
      await out.append({ name: 'report', text: 'a report' })
      throw new TaskError('The disk was full.')
    })
  })
  const whole = await run(failing, false)
  expect(whole).toEqual({ updates: [], artifacts: [], state: 'TASK_STATE_FAILED' })
  const streamed = await run(failing, true)
  expect(texts(streamed.artifacts, 'report').join('')).toBe('half a report')
  expect(
    streamed.updates.some(({ lastChunk }) => lastChunk),
    'a chunk marked as the last',
  ).toBe(false)
})

test('the same name in two steps makes two artifacts, and so do two calls of artifact()', async () => {
  const { artifacts } = await run(
    testAgent(async (task) => {
      for (const text of ['a', 'b'])
        await task.step('write', ({ out }) => out.append({ name: 'report', text }))
      for (const text of ['c', 'd']) await task.artifact({ name: 'report', text })
    }),
    true,
  )
  expect(artifacts.map(({ parts }) => parts[0]!.text)).toEqual(['a', 'b', 'c', 'd'])
  expect(new Set(artifacts.map(({ artifactId }) => artifactId)).size).toBe(4)
})

test('a long artifact is stored as it was sent, and is read the same while it grows', async () => {
  const count = 500
  const probe = await startProbe({ settings: { streamArtifacts: true } })
  const message = userMessage(`chunks ${count} of 200; ask`)
  const stream = await probe.stream('JSONRPC', 'SendStreamingMessage', { message })
  const updates: TaskArtifactUpdateEvent[] = []
  for await (const { artifactUpdate, task } of stream.frames) {
    if (artifactUpdate) updates.push(artifactUpdate)
    if (task || updates.length % 50 !== 0) continue
    const { taskId: id } = updates[0]!
    const { result } = await probe.call('JSONRPC', 'GetTask', { id })
    const seen = folded(structuredClone(updates))[0]!.parts
    expect(result.artifacts[0].parts.slice(0, seen.length)).toEqual(seen)
  }
  expect(updates).toHaveLength(count)
  const { result } = await probe.call('JSONRPC', 'GetTask', { id: updates[0]!.taskId })
  expect(result.artifacts).toEqual(folded(updates))
})
