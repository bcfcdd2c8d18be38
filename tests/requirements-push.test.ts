// Push notification configs (§3.1.7 to §3.1.10) and what they bring about: who is told, for how long, and which are listed.
import { describe, expect, test } from 'vitest'
import { bindings, startProbe, userMessage } from './support/probe.ts'
import { answer } from './support/talk.ts'
import { local, pushTo, startWebhook, stateOf } from './support/webhook.ts'

describe.each(bindings)('over %s', (binding) => {
  const start = async () => {
    const probe = await startProbe({ settings: local })
    const call = async (operation: string, params: object) => {
      const { result, error } = await probe.call(binding, operation, params)
      if (error) throw new Error(error.message)
      return result
    }
    return { probe, call }
  }

  test('a config has its webhook told of the task until the end, and one that is deleted nothing more [PUSH-CREATE-001] [PUSH-DEL-001]', async () => {
    const { probe, call } = await start()
    const [kept, deleted] = await Promise.all([startWebhook(), startWebhook()])
    const message = userMessage('ask one; ask two; artifact a b')
    const { id: taskId } = (await call('SendMessage', { message })).task
    for (const [id, { url }] of Object.entries({ kept, deleted })) {
      await call('CreateTaskPushNotificationConfig', { taskId, id, url })
    }
    await answer(probe, taskId, 'first')
    const before = await deleted.until('INPUT_REQUIRED')
    expect(await kept.until('INPUT_REQUIRED')).toEqual(before)
    await call('DeleteTaskPushNotificationConfig', { taskId, id: 'deleted' })
    await answer(probe, taskId, 'second')
    const events = await kept.until('COMPLETED')
    expect(events.slice(before.length).map((event) => stateOf(event) ?? 'artifact')).toEqual([
      'TASK_STATE_WORKING',
      'artifact',
      'artifact',
      'TASK_STATE_COMPLETED',
    ])
    expect(deleted.events()).toEqual(before)
  })

  test('all configs of a task are listed, however they came, and no others [PUSH-LIST-001]', async () => {
    const { call } = await start()
    const url = 'https://client.example/hook'
    const make = async (id: string) => {
      const params = { message: userMessage('ask'), configuration: pushTo({ url }, { id }) }
      return (await call('SendMessage', params)).task.id as string
    }
    const [taskId, other] = [await make('inline'), await make('of another')]
    const ids = ['inline', 'b', 'c', 'd']
    for (const id of ids.slice(1)) await call('CreateTaskPushNotificationConfig', { taskId, id, url })
    const expected = ids.map((id) => ({ id, taskId, url }))
    const listed = await call('ListTaskPushNotificationConfigs', { taskId })
    expect(
      listed.configs.toSorted((a: { id: string }, b: { id: string }) => a.id.localeCompare(b.id)),
    ).toEqual(expected.toSorted((a, b) => a.id.localeCompare(b.id)))
    const others = await call('ListTaskPushNotificationConfigs', { taskId: other })
    expect(others.configs).toEqual([{ id: 'of another', taskId: other, url }])
  })
})
