// Where push notifications do not go (§13.2): addresses that are not public, however they are named, looked at when connecting.
import { describe, expect, test } from 'vitest'
import { readableLog } from './support/log.ts'
import { startProbe, userMessage } from './support/probe.ts'
import { expectRefusal } from './support/refusals.ts'
import { until } from './support/wait.ts'
import { local, pushTo, startWebhook } from './support/webhook.ts'

type Resolve = NonNullable<NonNullable<Parameters<typeof startProbe>[0]>['resolve']>

/** Names and their addresses, in the test's hands; `asked` are those that were looked up. */
function nameServer(names: Record<string, string[]>) {
  const asked: string[] = []
  const resolve: Resolve = (name, _options, done) => {
    asked.push(name)
    const found = names[name]
    if (!found) return done(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), [])
    done(
      null,
      found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }
  return { resolve, asked, names }
}

const refused = 'its address is not public, and PUSH_ALLOWED_HOSTS does not allow it'

async function start(names: Record<string, string[]>, allowed: string[] = []) {
  const servers = nameServer(names)
  const { log, lines } = readableLog()
  const settings = { ...local, pushAllowedHosts: allowed, pushAttempts: 2 }
  const probe = await startProbe({ settings, log, resolve: servers.resolve })
  const reasons = () => lines.map(({ why }) => why as string).filter(Boolean)
  const webhook = await startWebhook()
  const { port } = new URL(webhook.url)
  const send = (host: string, text = 'complete') => {
    const configuration = pushTo({ url: `http://${host}:${port}/hook` }, { id: 'mine' })
    return probe.call('JSONRPC', 'SendMessage', { message: userMessage(text), configuration })
  }
  return { probe, webhook, send, reasons, ...servers }
}

describe('a config is refused at once', () => {
  test.each([
    '127.0.0.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '127.1',
    '0.0.0.0',
    '10.0.0.1',
    '169.254.169.254',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[fd00::1]',
    'localhost',
    'LOCALHOST.',
    'hook.localhost',
  ])('for %s, which says by itself that it is not public', async (host) => {
    const { send, asked, webhook } = await start({})
    const field = 'configuration.taskPushNotificationConfig.url'
    expectRefusal(await send(host), 'JSONRPC', 'INVALID_PARAMS', [field])
    expect(asked).toEqual([])
    expect(webhook.received).toEqual([])
  })
})

describe('nothing is sent to', () => {
  test.each([
    ['a loopback address', ['127.0.0.1']],
    ['an IPv6 loopback address', ['::1']],
    ['a private address', ['10.0.0.1']],
    ['a mapped address', ['::ffff:127.0.0.1']],
    ['the address of a cloud’s metadata', ['169.254.169.254']],
    ['several, none of them public', ['127.0.0.1', '192.168.0.1', 'fe80::1']],
  ])('a name that means %s', async (_, addresses) => {
    const { send, reasons, webhook } = await start({ 'hook.example': addresses })
    expect((await send('hook.example')).result.task).toBeDefined()
    await until('the end of the tries', () => reasons().length >= 2)
    expect(reasons()).toEqual([refused, refused])
    expect(webhook.received).toEqual([])
  })

  test('an address in a URL that was stored when it was allowed', async () => {
    const webhook = await startWebhook()
    const before = await startProbe({
      settings: { ...local, pushFirstDelay: 60_000, pushLongestDelay: 60_000 },
    })
    webhook.answers([500])
    const params = { message: userMessage('complete'), configuration: pushTo(webhook) }
    await before.call('JSONRPC', 'SendMessage', params)
    await webhook.count(1)
    await before.close()
    const { log, lines } = readableLog()
    const settings = { ...local, pushAllowedHosts: [], pushAttempts: 3 }
    await startProbe({ settings, dataDir: before.dataDir, log })
    const reasons = () => lines.map(({ why }) => why).filter(Boolean)
    await until('the end of the tries', () => reasons().length >= 2)
    expect(reasons()).toEqual([refused, refused])
    expect(webhook.received).toHaveLength(1)
  })
})

test('registering a config asks for no address and calls nobody', async () => {
  const { probe, asked, webhook } = await start({ 'hook.example': ['127.0.0.1'] })
  const { result } = await probe.call('JSONRPC', 'SendMessage', { message: userMessage('complete') })
  const config = { taskId: result.task.id, url: 'https://hook.example/hook' }
  expect((await probe.call('JSONRPC', 'CreateTaskPushNotificationConfig', config)).result.url).toBe(
    config.url,
  )
  expect(asked).toEqual([])
  expect(webhook.received).toEqual([])
})

test('a name that changes to a private address is caught when it is connected to again', async () => {
  const allowed = ['127.0.0.1'] // stands for a public address here
  const { probe, send, names, reasons, webhook } = await start({ 'hook.example': ['127.0.0.1'] }, allowed)
  const drop = { status: 200, headers: { connection: 'close' } }
  webhook.answers([], drop)
  const { result } = await send('hook.example', 'ask')
  await webhook.until('INPUT_REQUIRED')
  names['hook.example'] = ['127.0.0.2']
  await probe.call('JSONRPC', 'CancelTask', { id: result.task.id })
  await until('the end of the tries', () => reasons().length >= 2)
  expect(reasons()).toEqual([refused, refused])
  expect(webhook.received).toHaveLength(2)
})

test('of several addresses only the public ones are called', async () => {
  const { send, webhook } = await start({ 'hook.example': ['127.0.0.9', '127.0.0.1'] }, ['127.0.0.1'])
  await send('hook.example')
  await webhook.until('COMPLETED')
})

test('a redirect to a private address leads nowhere', async () => {
  const { send, webhook, reasons } = await start({ 'hook.example': ['127.0.0.1'] }, ['127.0.0.1'])
  const inside = await startWebhook()
  webhook.answers([], { status: 307, headers: { location: inside.url } })
  await send('hook.example')
  await until('the end of the tries', () => reasons().length >= 2)
  expect(reasons()[0]).toBe('HTTP 307, and redirects are not followed')
  expect(inside.received).toEqual([])
})

test('an allowed name may have any address', async () => {
  const { send, webhook } = await start({ 'hook.internal': ['127.0.0.1'] }, ['hook.internal'])
  await send('hook.internal')
  await webhook.until('COMPLETED')
})

test('a name that is not known counts as a failure', async () => {
  const { send, reasons } = await start({})
  await send('nowhere.example')
  await until('the end of the tries', () => reasons().length >= 2)
  expect(reasons()[0]).toBe('ENOTFOUND')
})

test.each(['1.0', '0.3'])(
  'AUTH-IS-NOT-A-GRANT: a push notification of %s to where an operator decides is no decision',
  async (version) => {
    const { probe, reasons } = await start({ localhost: ['127.0.0.1'] }, ['localhost'])
    const send = (text: string) => probe.call('JSONRPC', 'SendMessage', { message: userMessage(text) })
    const { id } = (await send('authorize deploy')).result.task
    const { id: other } = (await send('ask; complete')).result.task
    const names = { '1.0': 'CreateTaskPushNotificationConfig', '0.3': 'tasks/pushNotificationConfig/set' }
    for (const what of ['approve', 'deny']) {
      const config = { id: what, url: `${probe.url}/${what}/${id}` }
      const params =
        version === '1.0' ? { taskId: other, ...config } : { taskId: other, pushNotificationConfig: config }
      const { error } = await probe.call('JSONRPC', names[version as '1.0'], params, {
        'A2A-Version': version,
      })
      expect(error).toBeUndefined()
    }
    await probe.call('JSONRPC', 'SendMessage', { message: userMessage('go', { taskId: other }) })
    await until('the end of the tries', () => reasons().length >= 4)
    expect(new Set(reasons())).toEqual(new Set(['HTTP 400']))
    const { result } = await probe.call('JSONRPC', 'GetTask', { id })
    expect(result.status.state).toBe('TASK_STATE_AUTH_REQUIRED')
  },
)
