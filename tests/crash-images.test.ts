// A crash at any moment: the files as they stand before and after each commit and each step are what a killed process leaves behind,
// and an agent that starts on any of them brings the task to the same end.
import { join } from 'node:path'
import { textOf } from '@a2a-kit/task-core'
import { fold, replayExtension, type StreamResponse, type Task } from '@a2a-kit/task-core/protocol'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { testAgent } from './support/agent.ts'
import { imaged } from './support/images.ts'
import { type Probe, startProbe } from './support/probe.ts'
import { allFrames } from './support/sse.ts'
import { until } from './support/wait.ts'

const settings = { streamArtifacts: true }

/** An agent with one call of each kind, which notes the keys of the steps that it does. */
const busyAgent = (done: string[]) =>
  testAgent(async (task) => {
    await task.working('It begins.')
    await task.step('first', ({ idempotencyKey }) => void done.push(idempotencyKey))
    const answer = textOf(await task.ask('Which branch?'))
    await task.step('write', async ({ idempotencyKey, out }) => {
      done.push(idempotencyKey)
      for (const text of ['one ', 'two ', 'three']) await out.append({ name: 'report', text })
    })
    const operation = { deploy: answer }
    const { outcome } = await task.authorize({ operation, explain: () => 'May I?' })
    await task.artifact({ name: 'result', data: { answer, outcome } })
    await task.step('last', ({ idempotencyKey }) => void done.push(idempotencyKey))
    return 'It is done.'
  })

const message = (messageId: string, text: string, taskId?: string) => ({
  message: { messageId, role: 'ROLE_USER', parts: [{ text }], ...(taskId ? { taskId } : {}) },
  configuration: { returnImmediately: true },
})

/** A client that says what it has said before until the task has ended. */
async function toTheEnd(probe: Probe): Promise<Task> {
  const { result } = await probe.call('JSONRPC', 'SendMessage', message('m1', 'go'))
  const { id } = result.task
  return until('the end of the task', async () => {
    const { result: task } = await probe.call('JSONRPC', 'GetTask', { id })
    const state = task.status.state.replace('TASK_STATE_', '')
    if (state === 'INPUT_REQUIRED') await probe.call('JSONRPC', 'SendMessage', message('m2', 'main', id))
    if (state === 'AUTH_REQUIRED') await fetch(`${probe.url}/approve/${id}`, { method: 'POST' })
    return ['COMPLETED', 'FAILED', 'REJECTED'].includes(state) && (task as Task)
  })
}

function recordedIn(dataDir: string): string[] {
  const db = new Database(join(dataDir, 'test-agent.db'), { readonly: true })
  const keys = db.prepare('SELECT key FROM records').pluck().all() as string[]
  db.close()
  return keys
}

test('the task ends the same, whatever moment the crash came at', async () => {
  const { dataDir: first, world, images } = await imaged('test-agent', () => undefined)
  const uncut = await startProbe({ agent: busyAgent([]), dataDir: first, settings, world })
  await toTheEnd(uncut)
  await uncut.close()
  expect(images.length).toBeGreaterThan(10)
  for (const { dataDir } of images) {
    const recorded = recordedIn(dataDir)
    const done: string[] = []
    const probe = await startProbe({ agent: busyAgent(done), dataDir, settings })
    const task = await toTheEnd(probe)
    expect([task.status.state, textOf(task.status.message)]).toEqual(['TASK_STATE_COMPLETED', 'It is done.'])
    expect(task.history!.map(textOf)).toEqual(['go', 'Which branch?', 'main'])
    expect(
      task.artifacts!.map(({ name, parts }) => [name, parts.map(({ text, data }) => text ?? data)]),
    ).toEqual([
      ['report', ['one ', 'two ', 'three']],
      ['result', [{ answer: 'main', outcome: 'approved' }]],
    ])
    const steps = ['first', 'write', 'last'].map((name) => `step:${name}#1`)
    const toDo = steps.filter((key) => !recorded.includes(key)).map((key) => `${task.id}/${key}`)
    expect(done, `steps after a crash with ${recorded} recorded`).toEqual(toDo)

    const headers = { 'A2A-Extensions': replayExtension, 'Last-Event-ID': '1' }
    const frames = await allFrames(await probe.stream('JSONRPC', 'SubscribeToTask', { id: task.id }, headers))
    expect(frames.map(({ id }) => Number(id))).toEqual(frames.map((_, index) => index + 1))
    const events = frames.map(({ id: _id, ...frame }) => frame as StreamResponse)
    const { history: _, ...folded } = events.reduce<Task | undefined>(
      (so, frame) => fold(so, { frame }),
      undefined,
    )!
    const { history: _more, ...stored } = task
    expect(folded).toEqual(stored)
    await probe.close()
  }
})
