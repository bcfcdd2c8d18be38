import { describe, expect, test } from 'vitest'
import { startProbe } from '../../../tests/support/probe.ts'
import { pushTo } from '../../../tests/support/webhook.ts'
import { connect } from './connect.ts'
import { bothBindings, type Exchange, fakeAgent } from './testing/fake-agent.ts'
import { hello, quickWorld, taskIn } from './testing/fixtures.ts'

const url = 'https://client.example/hook'

describe.each(bothBindings)('push notification configs over %s', (binding) => {
  /** A client of an agent whose card has this binding alone. */
  async function connected() {
    const probe = await startProbe()
    probe.card.supportedInterfaces = probe.card.supportedInterfaces.filter(
      ({ protocolBinding }) => protocolBinding === binding,
    )
    return connect(probe.url)
  }

  test('are made with a message and by themselves, read, listed in pages and deleted', async () => {
    const agent = await connected()
    const message = { ...hello, parts: [{ text: 'ask' }] }
    const { task } = await agent.sendMessage(message, pushTo({ url }, { id: 'inline' }))
    const taskId = task!.id
    const authentication = { scheme: 'Bearer', credentials: 's3cret' }
    const id = 'a/b?c#d%e:f ü'
    const made = await agent.createTaskPushNotificationConfig(taskId, { id, url, authentication })
    expect(made).toEqual({ id, taskId, url, authentication })
    expect(await agent.getTaskPushNotificationConfig(taskId, id)).toEqual(made)

    const first = await agent.listTaskPushNotificationConfigs(taskId, { pageSize: 1 })
    expect(first.configs).toEqual([{ id: 'inline', taskId, url }])
    const rest = await agent.listTaskPushNotificationConfigs(taskId, { pageToken: first.nextPageToken })
    expect(rest).toEqual({ configs: [made], nextPageToken: '' })

    for (const _ of ['once', 'again']) await agent.deleteTaskPushNotificationConfig(taskId, id)
    await expect(agent.getTaskPushNotificationConfig(taskId, id)).rejects.toMatchObject({
      name: 'TaskNotFoundError',
    })
  })

  test('are made once, though the answer was lost', async () => {
    const lostOnce = ({ method, params, result, reset }: Exchange) =>
      method === 'CreateTaskPushNotificationConfig' && exchanges.length === 1
        ? reset()
        : result({ ...params, taskId: 'T' })
    const { url: address, exchanges } = await fakeAgent(lostOnce, { binding })
    const agent = await connect(address, { world: quickWorld() })
    const { id } = await agent.createTaskPushNotificationConfig('T', { url })
    expect(exchanges.map(({ params }) => params.id)).toEqual([id, id])
  })

  test('of another shape are an invalid answer', async () => {
    const { url: address } = await fakeAgent(({ result }) => result([taskIn('TASK_STATE_WORKING')]), {
      binding,
    })
    const agent = await connect(address, { world: quickWorld() })
    for (const call of [
      agent.createTaskPushNotificationConfig('T', { url }),
      agent.getTaskPushNotificationConfig('T', 'C'),
      agent.listTaskPushNotificationConfigs('T'),
    ]) {
      await expect(call).rejects.toMatchObject({ name: 'InvalidAgentResponseError' })
    }
  })
})

test('a deletion that is answered by a page is not done', async () => {
  const { url: address } = await fakeAgent(({ reply }) => reply(200, 'text/html', '<h1>Log in</h1>'), {
    binding: 'HTTP+JSON',
  })
  const agent = await connect(address)
  await expect(agent.deleteTaskPushNotificationConfig('T', 'C')).rejects.toThrow('text/html, not JSON')
})

// Servers made with Go answer 200 here.
test.each([204, 200])('a deletion that is answered %i without a body is done', async (status) => {
  const { url: address } = await fakeAgent(({ response }) => response.writeHead(status).end(), {
    binding: 'HTTP+JSON',
  })
  await (await connect(address)).deleteTaskPushNotificationConfig('T', 'C')
})
