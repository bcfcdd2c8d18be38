// The operations on push notification configs (§3.1.7 to §3.1.10), over every binding.
import { beforeEach, describe, expect, test } from 'vitest'
import { isSayable } from './support/grpc.ts'
import { bindings, type Probe, startProbe, userMessage } from './support/probe.ts'
import { expectRefusal } from './support/refusals.ts'
import { answer, begin, send } from './support/talk.ts'
import { untilState } from './support/wait.ts'
import { local, pushTo, startWebhook } from './support/webhook.ts'

const url = 'https://client.example/hook'
const four = ['Create', 'Get', 'List', 'Delete'].map(
  (verb) => `${verb}TaskPushNotificationConfig${verb === 'List' ? 's' : ''}`,
)

describe.each(bindings)('over %s', (binding) => {
  let probe: Probe
  let taskId: string
  beforeEach(async () => {
    probe = await startProbe({ settings: local })
    taskId = await begin(probe, 'ask')
    await untilState(probe, taskId, 'INPUT_REQUIRED')
  })
  const call = (verb: string, params: object) =>
    probe.call(binding, `${verb}TaskPushNotificationConfig${verb === 'List' ? 's' : ''}`, params)
  const create = async (more: object = {}) => (await call('Create', { taskId, url, ...more })).result
  const list = async (more: object = {}) => (await call('List', { taskId, ...more })).result
  const idsIn = ({ configs }: { configs: { id: string }[] }) => configs.map(({ id }) => id)

  test('PUSH-CONFIG-CRUD: a config without an id gets one of its own, and is given as it is stored [PUSH-GET-001]', async () => {
    const authentication = { scheme: 'Bearer', credentials: 's3cret' }
    const first = await create({ token: 'tok', authentication })
    expect(first).toEqual({ id: expect.stringMatching(/.{8}/), taskId, url, token: 'tok', authentication })
    const second = await create()
    expect(second).toEqual({ id: expect.not.stringMatching(first.id), taskId, url })
    expect(second.id).not.toBe(taskId)
    expect((await call('Get', { taskId, id: first.id })).result).toEqual(first)
    expect(await list()).toEqual({ configs: [first, second] })
  })

  test('PUSH-CONFIG-CRUD: a config with the id of another replaces it, on its task alone', async () => {
    const other = await begin(probe, 'ask')
    await call('Create', { taskId: other, id: 'mine', url })
    await create({ id: 'mine', token: 'old' })
    const replaced = await create({ id: 'mine', url: `${url}/2` })
    expect(replaced).toEqual({ id: 'mine', taskId, url: `${url}/2` })
    expect(await list()).toEqual({ configs: [replaced] })
    expect((await call('Get', { taskId: other, id: 'mine' })).result.url).toBe(url)
  })

  test('PUSH-CONFIG-CRUD: a config is deleted once and for all, and deleting it again is no error [PUSH-DEL-001] [PUSH-DEL-002]', async () => {
    const { id } = await create({ id: 'a/b c' })
    for (const _ of ['once', 'again']) {
      const deleted = await call('Delete', { taskId, id })
      expect(deleted).toMatchObject({ result: {}, status: binding === 'GRPC' ? 0 : 200 })
    }
    expectRefusal(await call('Get', { taskId, id }), binding, 'TASK_NOT_FOUND')
    expect((await list()).configs ?? []).toEqual([])
  })

  test('PUSH-CONFIG-CRUD: what is not there, or somebody else’s, is not found [PUSH-GET-002]', async () => {
    expectRefusal(await call('Get', { taskId, id: 'none' }), binding, 'TASK_NOT_FOUND')
    const asked = { taskId: 'unknown', id: 'mine' }
    for (const verb of ['Get', 'Delete']) {
      expectRefusal(await call(verb, asked), binding, 'TASK_NOT_FOUND')
    }
    expectRefusal(await call('Create', { ...asked, url }), binding, 'TASK_NOT_FOUND')
    expectRefusal(await call('List', { taskId: 'unknown' }), binding, 'TASK_NOT_FOUND')
  })

  test('PUSH-CONFIG-CRUD: the config of a message is on the list [PUSH-LIST-001]', async () => {
    const message = userMessage('ask')
    const configuration = pushTo({ url }, { id: 'inline' })
    const { result } = await probe.call(binding, 'SendMessage', { message, configuration })
    const found = (await call('List', { taskId: result.task.id })).result
    expect(found).toEqual({ configs: [{ id: 'inline', taskId: result.task.id, url }] })
  })

  test('PUSH-CONFIG-CRUD: a finished task takes and keeps configs, and sends nothing to them [PUSH-CREATE-002]', async () => {
    const webhook = await startWebhook()
    const kept = await create({ id: 'kept', url: webhook.url })
    await answer(probe, taskId, 'thanks')
    await webhook.until('COMPLETED')
    const before = webhook.received.length
    const late = await create({ id: 'late', url: webhook.url })
    await create({ id: 'kept', url: webhook.url })
    expect(await list()).toEqual({ configs: [late, kept] })
    expect((await call('Get', { taskId, id: 'late' })).result).toEqual(late)

    const other = { message: userMessage('complete'), configuration: pushTo(webhook) }
    const { id } = (await probe.call(binding, 'SendMessage', other)).result.task
    await webhook.until('COMPLETED', id)
    expect(webhook.received).toHaveLength(before + 2)
  })

  test('a list comes in pages', async () => {
    for (const id of ['a', 'b', 'c']) await create({ id })
    const first = await list({ pageSize: 2 })
    expect(idsIn(first)).toEqual(['a', 'b'])
    const second = await list({ pageSize: 2, pageToken: first.nextPageToken })
    expect(idsIn(second)).toEqual(['c'])
    expect(second.nextPageToken).toBeUndefined()
    const made = { taskId, pageToken: 'bWFkZSB1cA' }
    expectRefusal(await call('List', made), binding, 'INVALID_PARAMS', ['pageToken'])
    for (const pageSize of [-1, 101]) {
      expectRefusal(await call('List', { taskId, pageSize }), binding, 'INVALID_PARAMS', ['pageSize'])
    }
  })

  test('a task has at most ten configs', async () => {
    for (let nth = 1; nth <= 10; nth += 1) await create({ id: `${nth}` })
    expectRefusal(await call('Create', { taskId, url }), binding, 'INVALID_PARAMS', ['id'])
    await create({ id: '10', token: 'replaced' })
    await call('Delete', { taskId, id: '1' })
    await create()
    expect((await list()).configs).toHaveLength(10)
  })

  test('a config that is at fault, in a message too, is refused by the path of its field, and nothing is stored', async () => {
    const faulty = await call('Create', { taskId, url, token: 'a\nb' })
    expectRefusal(faulty, binding, 'INVALID_PARAMS', ['token'])
    const path = 'configuration.taskPushNotificationConfig.url'
    for (const bad of ['file:///etc/passwd', 'http://10.0.0.1/hook']) {
      const message = userMessage('complete')
      const refused = await probe.call(binding, 'SendMessage', {
        message,
        configuration: pushTo({ url: bad }),
      })
      expectRefusal(refused, binding, 'INVALID_PARAMS', [path])
    }
    expect((await probe.call(binding, 'ListTasks', {})).result.totalSize).toBe(1)
    expect((await list()).configs ?? []).toEqual([])
  })

  test('CAPABILITY-GATES: an agent without push notifications refuses them before it looks at anything', async () => {
    const without = await startProbe({ capabilities: { pushNotifications: false } })
    for (const operation of four) {
      for (const params of [
        { taskId: 'T', id: 'C' },
        { taskId: 'T', id: 'C', url: 7 },
      ]) {
        if (!isSayable(binding, operation, params)) continue
        const refused = await without.call(binding, operation, params)
        expectRefusal(refused, binding, 'PUSH_NOTIFICATION_NOT_SUPPORTED')
      }
    }
    const message = userMessage('complete')
    const inline = await without.call(binding, 'SendMessage', { message, configuration: pushTo({ url }) })
    expectRefusal(inline, binding, 'PUSH_NOTIFICATION_NOT_SUPPORTED')
    expect((await without.call(binding, 'ListTasks', {})).result.tasks).toEqual([])
  })
})

test('what the path says wins over what the body says', async () => {
  const probe = await startProbe()
  const { id: taskId } = await send(probe, 'complete')
  const answered = await fetch(`${probe.url}/a2a/tasks/${taskId}/pushNotificationConfigs`, {
    method: 'POST',
    headers: { 'A2A-Version': '1.0', 'Content-Type': 'application/json' },
    body: JSON.stringify({ taskId, task_id: taskId, id: 'mine', url }),
  })
  expect([answered.status, await answered.json()]).toEqual([200, { id: 'mine', taskId, url }])
})

test('a caller has no part in the configs of another', async () => {
  const callerTokens = { ada: 'ada-has-a-long-token', bob: 'bob-has-a-long-token' }
  const probe = await startProbe({ callerTokens })
  const as = (name: keyof typeof callerTokens) => ({ Authorization: `Bearer ${callerTokens[name]}` })
  const params = { message: userMessage('ask'), configuration: pushTo({ url }, { id: 'mine' }) }
  const { result } = await probe.call('JSONRPC', 'SendMessage', params, as('ada'))
  const config = { taskId: result.task.id, id: 'mine', url: `${url}/bob` }
  for (const operation of four) {
    const { id: _, ...ofTask } = config
    const asked = operation.startsWith('List') ? ofTask : config
    expectRefusal(await probe.call('JSONRPC', operation, asked, as('bob')), 'JSONRPC', 'TASK_NOT_FOUND')
  }
  const kept = await probe.call('JSONRPC', 'GetTaskPushNotificationConfig', config, as('ada'))
  expect(kept.result.url).toBe(url)
})
