import { connect, type WatchedEvent } from '@a2a-kit/client'
import { textOf } from '@a2a-kit/task-core'
import type { Artifact, Message, StreamResponse } from '@a2a-kit/task-core/protocol'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { gate } from './support/agent.ts'
import { userMessage } from './support/probe.ts'
import { sdkBindings } from './support/sdk-client.ts'
import { type Script, startSdkServer } from './support/sdk-server.ts'
import { until } from './support/wait.ts'

// The SDK prints what its agents throw and what it refuses.
beforeEach(() => {
  for (const level of ['log', 'warn', 'error'] as const) vi.spyOn(console, level).mockImplementation(() => {})
})
afterEach(() => vi.restoreAllMocks())

const message = (text: string, taskId?: string) => userMessage(text, taskId ? { taskId } : {}) as Message
const quick = { retry: { firstMs: 20, longestMs: 50 } }
const report = (text: string): Artifact => ({ artifactId: 'report', name: 'report', parts: [{ text }] })

const asking: Script = ({ again, text, status, artifact }) => {
  if (!again) return status('INPUT_REQUIRED', 'Which branch?')
  status('WORKING')
  artifact(report(text))
  status('COMPLETED', 'Done.')
}

const approving: Script = async ({ status, artifact, approved }) => {
  status('AUTH_REQUIRED', 'Somebody must approve this.')
  if (!(await approved())) return
  status('WORKING')
  artifact(report('approved'))
  status('COMPLETED')
}

/** What an event is, in short. */
function told({ task, message, statusUpdate, artifactUpdate }: StreamResponse): string {
  if (message) return `message ${textOf(message)}`
  if (artifactUpdate) return `artifact ${textOf(artifactUpdate.artifact)}`
  return `${task ? 'task ' : ''}${(task ?? statusUpdate)!.status.state.replace('TASK_STATE_', '')}`
}
const story = async (events: AsyncIterable<{ event: StreamResponse }>) =>
  (await Array.fromAsync(events)).map(({ event }) => told(event))

describe.each(sdkBindings)('our client with a server made with the official SDK, over %s', (binding) => {
  const pair = async (script: Script, more = {}) => {
    const server = await startSdkServer(script, { binding, ...more })
    return { server, agent: await connect(server.url, quick) }
  }

  test('has the question from a call and from a stream that ends with it, and the end of the answer', async () => {
    const { agent } = await pair(asking)
    const { task } = await agent.sendMessage(message('go'))
    expect(textOf(task!.status.message)).toBe('Which branch?')
    const answered = await agent.sendMessage(message('main', task!.id))
    expect(answered.task!.status.state).toBe('TASK_STATE_COMPLETED')
    expect(answered.task!.artifacts!.map(textOf)).toEqual(['main'])

    expect(await story(agent.sendStreamingMessage(message('go')))).toEqual([
      'task SUBMITTED',
      'INPUT_REQUIRED',
    ])
    const { task: second } = await agent.sendMessage(message('go'))
    // The SDK begins the stream of an answer with the task as it still stands at the question.
    expect(await story(agent.sendStreamingMessage(message('main', second!.id)))).toEqual([
      'task INPUT_REQUIRED',
      'WORKING',
      'artifact main',
      'COMPLETED',
    ])
  })

  test.each([
    ['that stays open through it', {}],
    // The SDK has then nothing but the snapshot for who subscribes, and closes the stream after it.
    ['that is closed after each snapshot', { forgets: true }],
  ])('watches a task through its question, on a stream %s', async (_, options) => {
    const { agent } = await pair(asking, options)
    const { task } = await agent.sendMessage(message('go'))
    const seen: WatchedEvent[] = []
    for await (const one of agent.watch(task!.id)) {
      seen.push(one)
      if (seen.length === 1) await agent.sendMessage(message('main', task!.id))
    }
    expect(told(seen[0]!.event)).toBe('task INPUT_REQUIRED')
    const end = seen.at(-1)!.task
    expect(end.status.state).toBe('TASK_STATE_COMPLETED')
    expect(end.artifacts!.map(textOf)).toEqual(['main'])
  })

  test('stays on one stream through an approval, and watches one that a call began', async () => {
    const { server, agent } = await pair(approving)
    const seen: string[] = []
    for await (const { event } of agent.sendStreamingMessage(message('go'))) {
      seen.push(told(event))
      if (seen.at(-1) === 'AUTH_REQUIRED') await server.approve(event.statusUpdate!.taskId)
    }
    const rest = ['WORKING', 'artifact approved', 'COMPLETED']
    expect(seen).toEqual(['task SUBMITTED', 'AUTH_REQUIRED', ...rest])

    const { task } = await agent.sendMessage(message('go'))
    expect(task!.status.state).toBe('TASK_STATE_AUTH_REQUIRED')
    const watched: string[] = []
    for await (const { event } of agent.watch(task!.id)) {
      watched.push(told(event))
      if (watched.length === 1) await server.approve(task!.id)
    }
    expect(watched).toEqual(['task AUTH_REQUIRED', ...rest])
    expect((await agent.getTask(task!.id)).artifacts!.map(textOf)).toEqual(['approved'])
  })

  test('puts chunks together as the server does, also when it begins to watch between them', async () => {
    const held = gate()
    const { agent } = await pair(async ({ status, artifact }) => {
      status('WORKING')
      artifact(report('one '))
      artifact(report('two '), { append: true })
      await held.pass()
      artifact(report('three'), { append: true, lastChunk: true })
      status('COMPLETED')
    })
    const { task } = await agent.sendMessage(message('go'), { returnImmediately: true })
    await held.entered
    const seen: WatchedEvent[] = []
    for await (const one of agent.watch(task!.id)) {
      seen.push(one)
      held.open()
    }
    expect(textOf(seen.at(-1)!.task.artifacts![0])).toBe('one two three')
    expect((await agent.getTask(task!.id)).artifacts).toEqual(seen.at(-1)!.task.artifacts)
  })

  test('has the whole artifact at the end, though the SDK loses the chunk that it was storing when it was watched', async () => {
    const [first, second, third, stored] = [gate(), gate(), gate(), gate()]
    let saving = async () => {}
    const { agent } = await pair(
      async ({ status, artifact }) => {
        artifact(report('one '))
        await first.pass()
        artifact(report('two '), { append: true })
        await second.pass()
        artifact(report('three'), { append: true, lastChunk: true })
        status('COMPLETED')
        await third.pass()
      },
      { saving: () => saving() },
    )
    const { task } = await agent.sendMessage(message('go'), { returnImmediately: true })
    const { id } = task!
    await until('the first chunk', async () => (await agent.getTask(id)).artifacts?.length)
    saving = stored.pass
    first.open()
    await stored.entered
    let end: WatchedEvent | undefined
    for await (const one of agent.watch(id)) {
      if (!end) expect(textOf(one.task.artifacts![0])).toBe('one ')
      end = one
      second.open()
      void third.entered.then(stored.open)
    }
    third.open()
    expect(told(end!.event)).toBe('COMPLETED')
    expect(textOf(end!.task.artifacts![0])).toBe('one two three')
  })

  test('has an answer that is a message alone', async () => {
    const { agent } = await pair(({ message }) => message('Hello.'))
    const answer = await agent.sendMessage(message('go'))
    expect(answer.task).toBeUndefined()
    expect(textOf(answer.message)).toBe('Hello.')
    expect(await story(agent.sendStreamingMessage(message('go')))).toEqual(['message Hello.'])
  })

  test('has a failure with its words', async () => {
    const { agent } = await pair(() => Promise.reject(new Error('out of paper')))
    const { task } = await agent.sendMessage(message('go'))
    expect(task!.status.state).toBe('TASK_STATE_FAILED')
    expect(textOf(task!.status.message)).toContain('out of paper')
    expect((await story(agent.sendStreamingMessage(message('go')))).at(-1)).toBe('FAILED')
  })

  test.each([
    ['a question', asking, {}],
    ['a question that the SDK has forgotten', asking, { forgets: true }],
    ['an approval', approving, {}],
  ])('cancels what waits for %s', async (_, script, options) => {
    const { agent } = await pair(script, options)
    const { task } = await agent.sendMessage(message('go'))
    expect((await agent.cancelTask(task!.id)).status.state).toBe('TASK_STATE_CANCELED')
    // The SDK takes a second cancel as done; ours would refuse it.
    expect((await agent.cancelTask(task!.id)).status.state).toBe('TASK_STATE_CANCELED')
  })

  test('has each refusal as the error that it is', async () => {
    const { agent } = await pair(asking)
    const { task } = await agent.sendMessage(message('go'))
    const { id } = task!
    await agent.sendMessage(message('main', id))
    const refused = (name: string) => expect.objectContaining({ name })
    await expect(agent.getTask('unknown')).rejects.toEqual(refused('TaskNotFoundError'))
    await expect(agent.cancelTask('unknown')).rejects.toEqual(refused('TaskNotFoundError'))
    await expect(agent.cancelTask(id)).rejects.toEqual(refused('TaskNotCancelableError'))
    await expect(agent.sendMessage(message('more', id))).rejects.toEqual(refused('UnsupportedOperationError'))
    await expect(story(agent.sendStreamingMessage(message('more', id)))).rejects.toEqual(
      refused('UnsupportedOperationError'),
    )
    await expect(story(agent.subscribeToTask(id))).rejects.toEqual(refused('UnsupportedOperationError'))
    await expect(story(agent.subscribeToTask('unknown'))).rejects.toEqual(refused('TaskNotFoundError'))
  })

  test('gets and lists tasks with as much of them as it asks for', async () => {
    const { agent } = await pair(asking)
    const { task } = await agent.sendMessage(message('go'))
    await agent.sendMessage(message('main', task!.id))
    expect((await agent.getTask(task!.id, { historyLength: 0 })).history ?? []).toEqual([])
    expect((await agent.getTask(task!.id, { historyLength: 1 })).history).toHaveLength(1)
    const { tasks, totalSize } = await agent.listTasks({ contextId: task!.contextId, historyLength: 0 })
    expect(totalSize).toBe(1)
    expect(tasks[0]!.status.state).toBe('TASK_STATE_COMPLETED')
  })
})
