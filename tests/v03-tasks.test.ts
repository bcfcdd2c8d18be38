// Tasks of 0.3 clients over both of its bindings: both waits, blocking or not, and everything else that a call answers.
import { describe, expect, test } from 'vitest'
import { operate } from './support/operator.ts'
import { startProbe } from './support/probe.ts'
import { bindings03, talk03 } from './support/v03.ts'
import { until, untilState } from './support/wait.ts'

const start = async (make: (typeof bindings03)[number][1]) => {
  const probe = await startProbe()
  return { probe, client: make(talk03(`${probe.url}/a2a`)) }
}

describe.each(bindings03)('over %s', (_, make) => {
  test('a question is answered on its task, and the task completes', async () => {
    const { client } = await start(make)
    const asked = await client.send('ask Which branch?')
    expect(asked.status).toBe(200)
    expect(asked.task.status).toMatchObject({ state: client.state('INPUT_REQUIRED') })
    expect(JSON.stringify(asked.task.status.message)).toContain('Which branch?')
    const { id, contextId } = asked.task
    const { task } = await client.send('main', { taskId: id, contextId })
    expect(task).toMatchObject({ id, contextId, status: { state: client.state('COMPLETED') } })
    expect(JSON.stringify(task.artifacts)).toContain('main')
    expect(task.history).toHaveLength(3)
  })

  test('an approval comes from outside, and the task goes on', async () => {
    const { probe, client } = await start(make)
    const { task } = await client.send('authorize the deploy')
    expect(task.status.state).toBe(client.state('AUTH_REQUIRED'))
    await operate(probe, 'approve', task.id)
    const done = await until('the end', async () => {
      const now = (await client.get(task.id)).task
      return now.status.state === client.state('COMPLETED') && now
    })
    expect(JSON.stringify(done.artifacts)).toContain('approved')
  })

  test('a call waits for the task, but not with blocking: false', async () => {
    const { probe, client } = await start(make)
    const waits = await client.send('sleep 50; complete')
    expect(waits.task.status.state).toBe(client.state('COMPLETED'))
    expect((await client.send('sleep 50', {}, { blocking: true })).task.status.state).toBe(
      client.state('COMPLETED'),
    )
    const { task } = await client.send('hang', {}, { blocking: false })
    expect(task.status.state).toBe(client.state('SUBMITTED'))
    await untilState(probe, task.id, 'SUBMITTED')
  })

  test('a file that is both bytes and an address is refused in the words of 0.3', async () => {
    const { client } = await start(make)
    const bytes = client.state('FAILED') === 'failed' ? 'bytes' : 'fileWithBytes'
    const uri = bytes.replace('bytes', 'uri').replace('Bytes', 'Uri')
    const file = { [bytes]: 'AAE=', [uri]: 'https://example.com/a' }
    const sent = await client.send('echo', { parts: [{ file }], content: [{ file }] })
    expect(JSON.stringify(sent)).toContain(`must have only one of file.${bytes}, file.${uri}"`)
  })

  test('a direct reply is a message and no task', async () => {
    const { client } = await start(make)
    const { message, task } = await client.send('reply hello')
    expect(task).toBeUndefined()
    expect(JSON.stringify(message)).toContain('hello')
  })

  test('a task is got with as much history as was asked for', async () => {
    const { client } = await start(make)
    const { task } = await client.send('ask Which?; complete')
    await client.send('this one', { taskId: task.id })
    const lengths = []
    for (const length of [undefined, 2, 0]) {
      lengths.push((await client.get(task.id, length)).task.history?.length ?? 0)
    }
    expect(lengths).toEqual([3, 2, 0])
  })

  test('a task is canceled once', async () => {
    const { client } = await start(make)
    const { task } = await client.send('sleep 60000', {}, { blocking: false })
    const canceled = await client.cancel(task.id)
    expect(canceled.task.status.state).toBe(client.state('CANCELED'))
    expect(client.code(await client.cancel(task.id))).toBe(-32002)
  })

  test('what 1.0 wrote in ways that 0.3 has not is said in its own', async () => {
    const { client } = await start(make)
    const { task } = await client.send('authorize it', {}, { blocking: true })
    const { task: noted } = await client.send('a note', { taskId: task.id })
    expect(JSON.stringify(noted)).not.toMatch(/TASK_STATE_CANCELED|"raw"|"mediaType"/)
    expect(JSON.stringify(noted.artifacts)).toContain('a note')
  })
})

describe.each(bindings03)('refused over %s:', (_, make) => {
  test('an unknown task, whatever is asked of it', async () => {
    const { client } = await start(make)
    for (const answer of [
      await client.get('T'),
      await client.cancel('T'),
      await client.send('hi', { taskId: 'T' }),
    ]) {
      expect(client.code(answer)).toBe(-32001)
      expect(answer.status).toBe(client.name === 'JSON-RPC' ? 200 : 404)
      expect(JSON.stringify(answer.body)).toContain('TASK_NOT_FOUND')
    }
  })

  test('a message to a task that has ended, or that is at work, or in another context', async () => {
    const { client } = await start(make)
    const { task } = await client.send('complete')
    const { task: busy } = await client.send('hang', {}, { blocking: false })
    const { task: asks } = await client.send('ask')
    expect(client.code(await client.send('more', { taskId: task.id }))).toBe(-32004)
    expect(client.code(await client.send('more', { taskId: busy.id }))).toBe(-32004)
    expect(client.code(await client.send('more', { taskId: asks.id, contextId: busy.contextId }))).toBe(
      -32602,
    )
  })

  test('a message without a messageId or with a history length below 0, in words of its own', async () => {
    const { client } = await start(make)
    const nameless = await client.send('complete', { messageId: undefined })
    expect(client.code(nameless)).toBe(-32602)
    expect(JSON.stringify(nameless.body)).toContain('message.messageId is required')
    const negative = await client.send('complete', {}, { historyLength: -1 })
    expect(client.code(negative)).toBe(-32602)
    const unsure = await client.send('complete', {}, { blocking: 'yes' })
    expect(client.code(unsure)).toBe(-32602)
    expect(JSON.stringify(unsure.body)).toContain('configuration.blocking must be true or false')
  })

  test('the same id with another content; the same content is the same task', async () => {
    const { client } = await start(make)
    const first = await client.send('complete one', { messageId: 'm1' })
    const again = await client.send('complete one', { messageId: 'm1' })
    expect(again.task.id).toBe(first.task.id)
    expect(client.code(await client.send('complete two', { messageId: 'm1' }))).toBe(-32602)
  })

  test('push notifications of an agent that sends none', async () => {
    const probe = await startProbe({ capabilities: { pushNotifications: false } })
    const client = make(talk03(`${probe.url}/a2a`))
    const push = client.name === 'JSON-RPC' ? 'pushNotificationConfig' : 'pushNotification'
    const config = { url: 'https://example.com/hook' }
    expect(client.code(await client.send('complete', {}, { [push]: config }))).toBe(-32003)
  })
})
