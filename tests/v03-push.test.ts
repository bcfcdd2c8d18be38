// Push notifications for 0.3 clients: their own names and config shape, and the whole task as the payload (§9.5 of 0.3).
import { describe, expect, test } from 'vitest'
import { startProbe } from './support/probe.ts'
import { answer } from './support/talk.ts'
import { bindings03, jsonMessage, talk03 } from './support/v03.ts'
import { until, untilState } from './support/wait.ts'
import { local, pushTo, startWebhook } from './support/webhook.ts'

/** What 0.3 posts is a task, whatever `StreamResponse` says of the bodies. */
const states = (webhook: Awaited<ReturnType<typeof startWebhook>>) =>
  webhook.received.map(({ body }) => (body as unknown as { status: { state: string } }).status.state)

test.each(bindings03)(
  'over %s a config inline with a message has its receiver told the task at each event',
  async (name, make) => {
    const probe = await startProbe({ settings: local })
    const webhook = await startWebhook()
    const client = make(talk03(`${probe.url}/a2a`))
    const config = {
      url: webhook.url,
      token: 'tok',
      authentication: { schemes: ['Bearer'], credentials: 's3cret' },
    }
    const { task } = await client.send(
      'working; ask Which?; artifact a.txt hi',
      {},
      {
        [name === 'JSON-RPC' ? 'pushNotificationConfig' : 'pushNotification']: config,
        blocking: true,
      },
    )
    await answer(probe, task.id, 'that one')
    await until('the end at the webhook', () => states(webhook).at(-1) === 'completed')
    expect(states(webhook)).toEqual([
      'submitted',
      'working',
      'input-required',
      'working',
      'working',
      'working',
      'completed',
    ])
    for (const { headers, body } of webhook.received) {
      expect(headers['content-type']).toBe('application/json')
      expect(headers.authorization).toBe('Bearer s3cret')
      expect(headers['x-a2a-notification-token']).toBe('tok')
      expect(body).toMatchObject({
        kind: 'task',
        id: task.id,
        contextId: task.contextId ?? expect.any(String),
      })
    }
    expect(webhook.received.at(-1)!.body).toMatchObject({
      artifacts: [{ name: 'answer' }, { name: 'a.txt', parts: [{ kind: 'text', text: 'hi' }] }],
    })
  },
)

describe('the operations on configs', () => {
  test('over JSON-RPC: set, get, list, delete', async () => {
    const probe = await startProbe({ settings: local })
    const webhook = await startWebhook()
    const { rpc } = talk03(`${probe.url}/a2a`)
    const { id } = (await rpc('message/send', { message: jsonMessage('ask Which?') })).body.result
    const set = await rpc('tasks/pushNotificationConfig/set', {
      taskId: id,
      pushNotificationConfig: {
        id: 'mine',
        url: webhook.url,
        authentication: { schemes: ['Basic'], credentials: 'x' },
      },
    })
    const stored = {
      taskId: id,
      pushNotificationConfig: {
        id: 'mine',
        url: webhook.url,
        authentication: { schemes: ['Basic'], credentials: 'x' },
      },
    }
    expect(set.body.result).toEqual(stored)
    const named = { id, pushNotificationConfigId: 'mine' }
    expect((await rpc('tasks/pushNotificationConfig/get', named)).body.result).toEqual(stored)
    expect((await rpc('tasks/pushNotificationConfig/list', { id })).body.result).toEqual([stored])
    expect((await rpc('tasks/pushNotificationConfig/delete', named)).body.result).toBeNull()
    expect((await rpc('tasks/pushNotificationConfig/list', { id })).body.result).toEqual([])
    await answer(probe, id, 'this')
    await untilState(probe, id, 'COMPLETED')
    expect(webhook.received).toEqual([])
  })

  test('over HTTP+JSON: create, get, list, delete', async () => {
    const probe = await startProbe({ settings: local })
    const webhook = await startWebhook()
    const { rpc, rest } = talk03(`${probe.url}/a2a`)
    const { id } = (await rpc('message/send', { message: jsonMessage('ask Which?') })).body.result
    const created = await rest('POST', `/tasks/${id}/pushNotificationConfigs`, {
      configId: 'mine',
      config: { pushNotificationConfig: { id: 'mine', url: webhook.url } },
    })
    expect(created.status).toBe(200)
    expect(created.body.pushNotificationConfig).toMatchObject({ id: 'mine', url: webhook.url })
    const got = await rest('GET', `/tasks/${id}/pushNotificationConfigs/mine`)
    expect(got.body).toEqual(created.body)
    const listed = await rest('GET', `/tasks/${id}/pushNotificationConfigs`)
    expect(listed.body.configs).toEqual([created.body])
    expect((await rest('DELETE', `/tasks/${id}/pushNotificationConfigs/mine`)).status).toBe(200)
    expect((await rest('GET', `/tasks/${id}/pushNotificationConfigs/mine`)).status).toBe(404)
  })
})

test('a config that is refused has its faults named as 0.3 calls them, and is not kept', async () => {
  const probe = await startProbe({ settings: local })
  const { rpc, rest } = talk03(`${probe.url}/a2a`)
  const { id } = (await rpc('message/send', { message: jsonMessage('ask Which?') })).body.result
  const config = (pushNotificationConfig: unknown) => ({ taskId: id, pushNotificationConfig })
  const faults = async (method: string, params: object) => {
    const { error } = (await rpc(`tasks/pushNotificationConfig/${method}`, params)).body
    const fields = error.data.fieldViolations.map(({ field }: { field: string }) => field)
    expect(error.message).toMatch(`Invalid parameters: ${fields[0]} `)
    return fields
  }
  const set = 'pushNotificationConfig'
  expect(await faults('set', config({}))).toEqual([`${set}.url`])
  expect(await faults('set', config('http://localhost/'))).toEqual([set])
  expect(await faults('set', config({ url: 'ftp://x' }))).toEqual([`${set}.url`])
  expect(await faults('set', config({ url: 'http://10.0.0.1/' }))).toEqual([`${set}.url`])
  const authentication = { schemes: ['two words'] }
  expect(await faults('set', config({ url: 'http://localhost/', authentication }))).toEqual([
    `${set}.authentication.schemes`,
  ])
  expect(await faults('get', { pushNotificationConfigId: 'c' })).toEqual(['id'])
  expect(await faults('list', {})).toEqual(['id'])
  expect(await faults('delete', { id })).toEqual(['pushNotificationConfigId'])
  const configs = `/tasks/${id}/pushNotificationConfigs`
  const { body } = await rest('POST', configs, { config: { pushNotificationConfig: { url: 'x' } } })
  expect(body.data.fieldViolations).toMatchObject([{ field: `${set}.url` }])
  expect((await rest('GET', configs)).body.configs).toEqual([])
})

test('two receivers of one task each get the shape of the version in which they were asked for', async () => {
  const probe = await startProbe({ settings: local })
  const [old, now] = [await startWebhook(), await startWebhook()]
  const { rpc } = talk03(`${probe.url}/a2a`)
  const { id } = (
    await rpc('message/send', {
      message: jsonMessage('ask Which?'),
      configuration: { blocking: true, pushNotificationConfig: { url: old.url } },
    })
  ).body.result
  const config = { taskId: id, ...pushTo(now).taskPushNotificationConfig }
  await probe.call('JSONRPC', 'CreateTaskPushNotificationConfig', config)
  await answer(probe, id, 'main')
  expect(
    (await now.until('COMPLETED')).every(
      ({ statusUpdate, artifactUpdate }) => statusUpdate ?? artifactUpdate,
    ),
  ).toBe(true)
  await until('the end at the old one', () => states(old).at(-1) === 'completed')
})
