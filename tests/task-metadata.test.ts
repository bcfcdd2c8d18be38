// The metadata that an agent gives its tasks: wherever a task is shown, and never that of a request.
import { expect, test } from 'vitest'
import { testAgent } from './support/agent.ts'
import { bindings, startProbe, userMessage } from './support/probe.ts'
import { bindings03, talk03 } from './support/v03.ts'

const taskMetadata = { skill: 'test', deep: { er: [1, null, 'x'] } }
const agent = testAgent(async (task) => void (await task.ask('Which one?')), { taskMetadata })
const request = (text = 'go') => ({ message: userMessage(text), metadata: { of: 'the request' } })

test.each(bindings)('over %s each answer with a task has it', async (binding) => {
  const probe = await startProbe({ agent })
  const { result: sent } = await probe.call(binding, 'SendMessage', request())
  const stream = await probe.stream(binding, 'SendStreamingMessage', request())
  const first = await stream.frames.next()
  stream.close()
  const { id } = sent.task
  const { result: got } = await probe.call(binding, 'GetTask', { id })
  const { result: listed } = await probe.call(binding, 'ListTasks', {})
  const { result: canceled } = await probe.call(binding, 'CancelTask', { id, metadata: { why: 'rain' } })
  const shown = [sent.task, first.value?.task, got, ...listed.tasks, canceled]
  expect(shown.map(({ metadata }) => metadata)).toEqual(shown.map(() => taskMetadata))
  expect(shown).toHaveLength(6)
})

test.each(bindings03)('a client of 0.3 sees it over %s', async (_name, make) => {
  const probe = await startProbe({ agent })
  const { task } = await make(talk03(`${probe.url}/a2a`)).send('go')
  expect(task.metadata).toEqual(taskMetadata)
})

test('a task keeps what it was made with, also where the agent says something else now', async () => {
  const before = await startProbe({ agent })
  const { result } = await before.call('JSONRPC', 'SendMessage', request())
  await before.close()
  const { dataDir } = before
  const after = await startProbe({ agent: { ...agent, taskMetadata: { skill: 'other' } }, dataDir })
  const { id } = result.task
  expect((await after.call('JSONRPC', 'GetTask', { id })).result.metadata).toEqual(taskMetadata)
  const { result: more } = await after.call('JSONRPC', 'SendMessage', request())
  expect(more.task.metadata).toEqual({ skill: 'other' })
})

test('a task of an agent that gives none has none, whatever the request carries', async () => {
  const probe = await startProbe({ agent: testAgent(async () => {}) })
  const { result } = await probe.call('JSONRPC', 'SendMessage', request())
  expect(result.task).not.toHaveProperty('metadata')
})
