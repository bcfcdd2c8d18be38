// What an agent reads of the tasks that a message refers to: those of the same caller, as they were when it asked first.
import type { Task } from '@a2a-kit/task-core/protocol'
import { expect, test } from 'vitest'
import { testAgent } from './support/agent.ts'
import { startProbe, userMessage } from './support/probe.ts'
import { answer, begin, says, send } from './support/talk.ts'
import { untilState } from './support/wait.ts'

const tokens = { alice: 'alice-0123456789abcdef', bob: 'bob-0123456789abcdef' }
const as = (name: keyof typeof tokens) => ({ Authorization: `Bearer ${tokens[name]}` })
const shown = ({ artifacts }: Task) => artifacts!.find(({ name }) => name === 'references')!.parts[0]!.data

test('tasks of the same caller are read whole; unknown ones and those of others are left out', async () => {
  const { call } = await startProbe({ callerTokens: tokens })
  const made = async (name: keyof typeof tokens, text: string, more: object = {}): Promise<Task> =>
    (await call('JSONRPC', 'SendMessage', { message: userMessage(text, more) }, as(name))).result.task
  const mine = await made('alice', 'artifact a b; complete done')
  const waits = await made('alice', 'ask Which?')
  const theirs = await made('bob', 'artifact secret x')
  const referenceTaskIds = [mine.id, theirs.id, 'unknown', waits.id, mine.id]
  expect(shown(await made('alice', 'references', { referenceTaskIds }))).toEqual([mine, waits])
  expect(shown(await made('bob', 'references', { referenceTaskIds }))).toEqual([theirs])
  expect(shown(await made('bob', 'references'))).toEqual([])
})

test('what was read stays so in every later run, whatever becomes of the tasks', async () => {
  const before = await startProbe()
  const other = await begin(before, 'ask')
  await untilState(before, other, 'INPUT_REQUIRED')
  await before.close()
  const agent = testAgent(async (task) => {
    const [read] = await task.references()
    await task.ask('Shall I go on?')
    return read!.status.state
  })
  // Under the name whose data it takes over.
  const named = { ...agent, card: { ...agent.card, name: before.card.name } }
  const first = await startProbe({ agent: named, dataDir: before.dataDir })
  const id = await begin(first, 'go', { referenceTaskIds: [other] })
  await untilState(first, id, 'INPUT_REQUIRED')
  await first.call('JSONRPC', 'CancelTask', { id: other })
  await first.close()
  const again = await startProbe({ agent: named, dataDir: before.dataDir })
  await answer(again, id, 'yes')
  expect(says(await untilState(again, id, 'COMPLETED'))).toBe('TASK_STATE_INPUT_REQUIRED')
})

test('more than a task may hold fails the task', async () => {
  const probe = await startProbe({ settings: { maxArtifactBytes: 5000 } })
  const ids = []
  for (const name of ['a', 'b']) ids.push((await send(probe, `artifact ${name} ${'x'.repeat(3000)}`)).id)
  const task = await send(probe, 'references', { referenceTaskIds: ids })
  expect(says(task)).toBe('The tasks that the message refers to have more than 5000 bytes.')
  expect(task.status.state).toBe('TASK_STATE_FAILED')
})
