// Agents killed with SIGKILL and started again: nothing that was acknowledged is lost, nothing recorded is done twice.
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { textOf } from '@a2a-kit/task-core'
import { foldArtifact, replayExtension, type Task } from '@a2a-kit/task-core/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Child, startChild } from './support/child.ts'
import { bindings, userMessage } from './support/probe.ts'
import { allFrames, type Frame, framesUntil } from './support/sse.ts'
import { says } from './support/talk.ts'
import { until, untilState } from './support/wait.ts'

const cleaning: (() => Promise<void>)[] = []
const started: Record<'asking' | 'waiting' | 'canceled' | 'steps' | 'chunks', string> = {} as never
const queued = ['queued 1', 'queued 2', 'queued 3']
const queuedIds: string[] = []
const watched: Frame[] = []
let parked: Task[]
let journal: string
let agent: Child

const lines = () => readFileSync(journal, 'utf8').split('\n').filter(Boolean)
const goOn = (id: string) => writeFileSync(`${journal}-${id}`, '')

async function begin(text: string, more: object = {}): Promise<string> {
  const message = userMessage(text, more)
  const configuration = { returnImmediately: true }
  return (await agent.call('JSONRPC', 'SendMessage', { message, configuration })).result.task.id
}

async function crash(): Promise<void> {
  expect(await agent.end('SIGKILL')).toBe('SIGKILL')
  agent = await agent.again()
}

/** A task in every situation; then two crashes, of which the second comes once the running steps run again. */
beforeAll(async () => {
  const onEnd = (clean: () => Promise<void>) => void cleaning.unshift(clean)
  const folder = await mkdtemp(join(tmpdir(), 'a2a-kit-'))
  onEnd(() => rm(folder, { recursive: true, force: true }))
  journal = join(folder, 'journal')
  writeFileSync(journal, '')
  const env = { JOURNAL: journal, LOG_LEVEL: 'warn', STREAM_ARTIFACTS: 'true' }
  agent = await startChild({ main: 'tests/support/journal-agent.ts', env, onEnd })

  started.asking = await begin('ask Which branch?')
  started.waiting = await begin('authorize the deploy')
  started.canceled = await begin('working; hang')
  for (const text of queued) queuedIds.push(await begin(text, { contextId: 'busy' }))
  started.steps = await begin('steps')
  const stream = await agent.stream('JSONRPC', 'SendStreamingMessage', { message: userMessage('chunks') })
  while (watched.length < 4) watched.push((await stream.frames.next()).value!)
  started.chunks = watched[0]!.task!.id
  parked = [
    await untilState(agent, started.asking, 'INPUT_REQUIRED'),
    await untilState(agent, started.waiting, 'AUTH_REQUIRED'),
  ]
  await until('all steps', () => lines().length === 5)
  await untilState(agent, started.canceled, 'WORKING')
  const lost = agent.call('JSONRPC', 'CancelTask', { id: started.canceled }).catch(() => 'lost')
  await until('that the cancel is stored', async () => {
    const message = userMessage('?', { taskId: started.canceled })
    const { error } = await agent.call('JSONRPC', 'SendMessage', { message })
    return error!.message.includes('is being canceled')
  })
  await crash()
  expect(await lost).toBe('lost')
  await framesUntil(stream, 'nothing').catch(() => {})
  await until('all open steps again', () => lines().length === 8)
  await crash()
}, 60_000)

afterAll(async () => {
  for (const clean of cleaning) await clean()
})

test('PARKED-TASK-SURVIVES-RESTART: what waits for a person is the same, and is answered and approved', async () => {
  for (const task of parked) {
    expect((await agent.call('HTTP+JSON', 'GetTask', { id: task.id })).result).toEqual(task)
  }
  const [asking, waiting] = parked as [Task, Task]
  const streams = await Promise.all(
    [asking, waiting].map(({ id }, nth) => agent.stream(bindings[nth]!, 'SubscribeToTask', { id })),
  )
  const [, link] = /at (\S+)$/.exec(says(waiting))!
  expect((await fetch(link!, { method: 'POST' })).status).toBe(200)
  await agent.call('JSONRPC', 'SendMessage', { message: userMessage('main', { taskId: asking.id }) })
  for (const stream of streams) {
    expect((await allFrames(stream)).at(-1)!.statusUpdate!.status.state).toBe('TASK_STATE_COMPLETED')
  }
  const { history } = await untilState(agent, asking.id, 'COMPLETED')
  expect(history!.map(textOf)).toEqual(['ask Which branch?', 'Which branch?', 'main'])
})

test('ZOMBIE-AFTER-CRASH: a running task goes on, its open step again under the same key, its recorded steps not', async () => {
  const { steps: id } = started
  await untilState(agent, id, 'WORKING')
  const stream = await agent.stream('JSONRPC', 'SubscribeToTask', { id })
  goOn(id)
  const frames = await allFrames(stream)
  expect(frames[0]!.task!.status.state).toBe('TASK_STATE_WORKING')
  expect(frames.at(-1)!.statusUpdate!.status.state).toBe('TASK_STATE_COMPLETED')
  await untilState(agent, id, 'COMPLETED')
  const key = (name: string) => `${name} ${id}/step:${name}#1`
  const done = ['first', 'second', 'held', 'held', 'held', 'last'].map(key)
  expect(lines().filter((line) => line.includes(id))).toEqual(done)
})

test('tasks that were queued in their context start in the order of their messages', async () => {
  for (const id of queuedIds) await untilState(agent, id, 'SUBMITTED')
  for (const id of queuedIds) goOn(id)
  for (const id of queuedIds) await untilState(agent, id, 'COMPLETED')
  const order = lines().filter((line) => line.startsWith('queued'))
  expect(order).toEqual(['queued 1', 'queued 1', ...queued])
})

test('a cancel that was stored is carried out', async () => {
  const task = await untilState(agent, started.canceled, 'CANCELED')
  expect(says(task)).toBe('Canceled. Nothing was done.')
})

test('ARTIFACT-REDUCE: after a crash among its chunks an artifact is made anew, and no text comes twice', async () => {
  const { chunks: id } = started
  const headers = { 'A2A-Extensions': replayExtension, 'Last-Event-ID': watched.at(-1)!.id! }
  const replayed = await agent.stream('HTTP+JSON', 'SubscribeToTask', { id }, headers)
  goOn(id)
  const frames = [...watched, ...(await allFrames(replayed)).slice(1)]
  const updates = frames.flatMap(({ artifactUpdate }) => artifactUpdate ?? [])
  const before = ['1 ', '2 ', '3 ']
  expect(updates.map(({ artifact }) => artifact.parts[0]!.text)).toEqual([
    ...before,
    ...before,
    ...[...before, '4 ', '5 ', '6 '],
  ])
  expect(updates.map(({ append }) => append ?? false)).toEqual(
    updates.map((_, nth) => nth % 3 > 0 || nth > 6),
  )
  expect(new Set(updates.map(({ artifact }) => artifact.artifactId)).size).toBe(1)
  const { artifacts } = await untilState(agent, id, 'COMPLETED')
  expect(artifacts!.map(textOf)).toEqual(['1 2 3 4 5 6 '])
  expect(updates.reduce(foldArtifact, [])).toEqual(artifacts)
})
