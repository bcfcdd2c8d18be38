// A push notification on the wire (§4.3.3): its body, its headers, and what it must not do.
import { parseRequest, requestSchemas } from '@a2a-kit/task-core/protocol'
import { expect, test } from 'vitest'
import { bindings, startProbe, userMessage } from './support/probe.ts'
import { until } from './support/wait.ts'
import { type Behaviour, local, pushTo, startWebhook } from './support/webhook.ts'

/** The requests of a task that completes at once, whose config has `more`. */
async function requestsFor(more: object = {}, binding = bindings[0]!) {
  const [probe, webhook] = [await startProbe({ settings: local }), await startWebhook()]
  const params = { message: userMessage('artifact a b'), configuration: pushTo(webhook, more) }
  const { error } = await probe.call(binding, 'SendMessage', params)
  if (error) throw new Error(error.message)
  await webhook.until('COMPLETED')
  return webhook.received
}

test.each(bindings)(
  'PUSH-PAYLOAD-AND-AUTH: a request from %s is a StreamResponse with the credentials and the token [PUSH-DELIVER-001] [PUSH-DELIVER-003]',
  async (binding) => {
    const authentication = { scheme: 'Bearer', credentials: 's3cret' }
    const requests = await requestsFor({ authentication, token: 'tok' }, binding)
    expect(requests.map(({ body }) => Object.keys(body))).toEqual([
      ['task'],
      ['artifactUpdate'],
      ['statusUpdate'],
    ])
    for (const { method, path, headers } of requests) {
      expect({ method, path }).toEqual({ method: 'POST', path: '/hook?for=me' })
      expect(headers).toMatchObject({
        authorization: 'Bearer s3cret',
        'content-type': 'application/a2a+json',
        'x-a2a-notification-token': 'tok',
      })
    }
  },
)

test.each([
  [{ scheme: 'bearer', credentials: 's3cret' }, 'bearer s3cret'],
  [{ scheme: 'Basic', credentials: 'dXNlcjpwYXNz' }, 'Basic dXNlcjpwYXNz'],
  [{ scheme: 'Digest', credentials: 'username="a", uri="/"' }, 'Digest username="a", uri="/"'],
  [{ scheme: 'Bearer' }, undefined],
  [undefined, undefined],
])('PUSH-PAYLOAD-AND-AUTH: %o is sent as %s', async (authentication, header) => {
  const [{ headers }] = (await requestsFor(authentication && { authentication })) as [
    Awaited<ReturnType<typeof requestsFor>>[number],
  ]
  expect(headers.authorization).toBe(header)
  expect(headers).not.toHaveProperty('x-a2a-notification-token')
})

test.each<[string, Behaviour]>([
  ['a status in the 200s that has no body', 204],
  ['a body that never ends', 'endless body'],
])('%s acknowledges', async (_, behaviour) => {
  const settings = { ...local, pushTimeout: 5000 }
  const [probe, webhook] = [await startProbe({ settings }), await startWebhook()]
  webhook.answers([], behaviour)
  const params = { message: userMessage('artifact a b'), configuration: pushTo(webhook) }
  await probe.call('JSONRPC', 'SendMessage', params)
  await webhook.until('COMPLETED')
  expect(webhook.received).toHaveLength(3)
})

test('a redirect is not followed, and counts as a failure', async () => {
  const [probe, webhook, elsewhere] = [
    await startProbe({ settings: local }),
    await startWebhook(),
    await startWebhook(),
  ]
  const away = (status: number) => ({ status, headers: { location: elsewhere.url } })
  webhook.answers([301, 302, 303, 307, 308].map(away))
  const params = { message: userMessage('complete'), configuration: pushTo(webhook) }
  await probe.call('JSONRPC', 'SendMessage', params)
  await webhook.until('COMPLETED')
  expect(webhook.received).toHaveLength(7)
  expect(elsewhere.received).toEqual([])
})

test('when all is delivered, nothing is left of it in the process', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const [probe, webhook] = [await startProbe({ settings: local }), await startWebhook()]
  const before = timers()
  webhook.answers([500, 'drop'])
  const params = { message: userMessage('ask'), configuration: pushTo(webhook) }
  await probe.call('JSONRPC', 'SendMessage', params)
  await webhook.until('INPUT_REQUIRED')
  await until('the end of every timer', () => timers() <= before + 1) // one for the expiry of the question
})

test.each([
  ['url', { url: 'ftp://a.example/hook' }],
  ['url', { url: '/hook' }],
  ['url', { url: 'a.example/hook' }],
  ['url', { url: 'https://user:pass@a.example/hook' }],
  ['url', { url: 'https://user@a.example/hook' }],
  ['url', { url: 'https://a.example/ho ok' }],
  ['url', { url: 'https://a.example/hook\r\nX-Other: 1' }],
  ['url', { url: `https://a.example/${'x'.repeat(2048)}` }],
  ['url', {}],
  ['token', { token: 'a\r\nX-Other: 1' }],
  ['token', { token: 'tök' }],
  ['token', { token: ' a' }],
  ['token', { token: 'x'.repeat(8193) }],
  ['authentication.scheme', { authentication: { scheme: 'Bearer x' } }],
  ['authentication.scheme', { authentication: { scheme: 'Bearer:\n' } }],
  ['authentication.scheme', { authentication: { credentials: 's3cret' } }],
  ['authentication.credentials', { authentication: { scheme: 'Bearer', credentials: 's3\ncret' } }],
  ['authentication.credentials', { authentication: { scheme: 'Bearer', credentials: 's3\0cret' } }],
  ['id', { id: 'x'.repeat(257) }],
  ['id', { id: 'a\nb' }],
])('a config whose %s is at fault is refused: %o', (field, more) => {
  const good = { taskId: 'T', url: 'https://a.example/hook' }
  const schema = requestSchemas.CreateTaskPushNotificationConfig
  expect(parseRequest(schema, good)).toEqual(good)
  const faulty = field === 'url' && !('url' in more) ? { taskId: 'T' } : { ...good, ...more }
  expect(() => parseRequest(schema, faulty)).toThrow(
    expect.objectContaining({
      name: 'InvalidParamsError',
      violations: [{ field, description: expect.any(String) }],
    }),
  )
})
