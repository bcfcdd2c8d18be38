// Receivers that fail (§4.3.3, §13.2): tried again with growing pauses, in order, and given up after so many tries.
import { describe, expect, test } from 'vitest'
import { readableLog } from './support/log.ts'
import { type Probe, startProbe, userMessage } from './support/probe.ts'
import { answer, begin } from './support/talk.ts'
import { until, untilState } from './support/wait.ts'
import { type Behaviour, local, logOf, pushTo, startWebhook, type Webhook } from './support/webhook.ts'

const secret = { token: 't0ken', authentication: { scheme: 'Bearer', credentials: 's3cret' } }

async function start(settings: object = {}) {
  const readable = readableLog()
  const probe = await startProbe({ settings: { ...local, ...settings }, log: readable.log })
  const tries = () => readable.lines.filter(({ msg }) => msg.startsWith('A push notification was not taken'))
  const givenUp = () => readable.lines.filter(({ msg }) => msg.includes('is given up'))
  return { probe, webhook: await startWebhook(), tries, givenUp, text: () => JSON.stringify(readable.lines) }
}

async function send(probe: Probe, webhook: Webhook, text: string, more: object = secret): Promise<string> {
  const configuration = pushTo(webhook, more)
  const { result } = await probe.call('JSONRPC', 'SendMessage', { message: userMessage(text), configuration })
  return result.task.id
}

describe('PUSH-RETRY: a receiver', () => {
  test.each<[string, Behaviour[]]>([
    ['answers 500, 500, and then takes it', [500, 500]],
    ['refuses what it takes later', [400, 401, 404]],
    ['cuts the connection', ['drop', 200, 'drop']],
    ['never answers', ['hang', 200, 'hang']],
    ['redirects', [{ status: 302, headers: { location: '/elsewhere' } }]],
    ['answers slowly', [{ slow: 50 }, { slow: 50 }, { slow: 50 }]],
  ])(
    'PUSH-RETRY: a receiver that %s gets every event in order, and the task does not notice',
    async (_, next) => {
      const { probe, webhook } = await start({ pushTimeout: 150 })
      webhook.answers(next)
      const id = await send(probe, webhook, 'working; chunks 3; complete')
      expect(await webhook.until('COMPLETED')).toEqual(await logOf(probe, id))
    },
  )

  test('PUSH-RETRY: the pauses grow, by chance a little more or less, up to the longest; the log tells without secrets', async () => {
    const { probe, webhook, tries, text } = await start({ pushFirstDelay: 2, pushLongestDelay: 30 })
    webhook.answers(Array<Behaviour>(7).fill(503))
    await send(probe, webhook, 'complete')
    await webhook.until('COMPLETED')
    const pauses = tries().map(({ retryInMs }) => retryInMs)
    const caps = [2, 4, 8, 16, 30, 30, 30]
    for (const [nth, cap] of caps.entries()) {
      expect(pauses[nth]).toBeGreaterThanOrEqual(cap / 2)
      expect(pauses[nth]).toBeLessThanOrEqual(cap)
    }
    expect(pauses).toHaveLength(caps.length)
    expect(tries()[0]).toMatchObject({ host: new URL(webhook.url).host, why: 'HTTP 503', failures: 1 })
    expect(text()).not.toMatch(/s3cret|t0ken|for=me/)
  })

  test('PUSH-RETRY: Retry-After is waited for, up to the longest pause', async () => {
    const { probe, webhook, tries } = await start({ pushFirstDelay: 1, pushLongestDelay: 70 })
    const soon = new Date(Date.now() + 3_600_000).toUTCString()
    const told = ['3600', soon, '0', 'tomorrow'].map((value) => ({
      status: 429,
      headers: { 'retry-after': value },
    }))
    webhook.answers(told)
    await send(probe, webhook, 'complete')
    await webhook.until('COMPLETED')
    const [seconds, date, none, nonsense] = tries().map(({ retryInMs }) => retryInMs)
    expect([seconds, date]).toEqual([70, 70])
    expect(none).toBeLessThan(10)
    expect(nonsense).toBeLessThan(10)
  })

  test('PUSH-RETRY: a receiver that always fails is given up, once and for all of its events, and its config is kept', async () => {
    const { probe, webhook, tries, givenUp, text } = await start({ pushAttempts: 4 })
    webhook.answers([], 500)
    const taskId = await send(probe, webhook, 'ask', { id: 'mine', ...secret })
    await until('the end of the tries', () => givenUp().length)
    expect(webhook.received).toHaveLength(4)
    expect(tries()).toHaveLength(3)
    await answer(probe, taskId, 'thanks')
    await untilState(probe, taskId, 'COMPLETED')
    const { result } = await probe.call('JSONRPC', 'GetTaskPushNotificationConfig', { taskId, id: 'mine' })
    expect(result).toMatchObject({ id: 'mine', url: webhook.url })

    // Another one goes through all its tries, and the first is not called meanwhile.
    const other = await startWebhook()
    other.answers([500, 500, 500])
    await send(probe, other, 'complete')
    await other.until('COMPLETED')
    expect(webhook.received).toHaveLength(4)
    expect(givenUp()).toHaveLength(1)
    expect(givenUp()[0]).toMatchObject({ taskId, configId: 'mine', why: 'HTTP 500', failures: 4 })
    expect(text()).not.toMatch(/s3cret|t0ken|for=me/)
  })

  test('PUSH-RETRY: a receiver that is gone is not asked again', async () => {
    const { probe, webhook, givenUp } = await start()
    webhook.answers([], 410)
    await send(probe, webhook, 'artifact a b')
    await until('the end of the tries', () => givenUp().length)
    expect(webhook.received).toHaveLength(1)
    expect(givenUp()[0]).toMatchObject({ why: 'HTTP 410', failures: 1 })
  })

  test('PUSH-RETRY: only tries in a row count', async () => {
    const { probe, webhook, givenUp } = await start({ pushAttempts: 3 })
    webhook.answers([500, 500, 200, 500, 500, 200, 500, 500, 200])
    await send(probe, webhook, 'artifact a b')
    await webhook.until('COMPLETED')
    expect(givenUp()).toEqual([])
  })

  test('PUSH-RETRY: a config that was given up goes on where it stopped when it is created again', async () => {
    const { probe, webhook, givenUp } = await start({ pushAttempts: 2 })
    webhook.answers([200], 500)
    const taskId = await send(probe, webhook, 'chunks 3; complete', { id: 'mine' })
    await until('the end of the tries', () => givenUp().length)
    webhook.answers([])
    const again = { taskId, id: 'mine', url: webhook.url }
    await probe.call('JSONRPC', 'CreateTaskPushNotificationConfig', again)
    expect(await webhook.until('COMPLETED')).toEqual(await logOf(probe, taskId))
  })
})

test('new credentials lose no event: a config that replaces another goes on where that one had got to', async () => {
  const { probe, webhook } = await start({ pushFirstDelay: 60_000, pushLongestDelay: 60_000 })
  webhook.answers([200], 401)
  const taskId = await send(probe, webhook, 'chunks 3; complete', { id: 'mine', token: 'old' })
  await webhook.count(2)
  webhook.answers([])
  const rotated = { taskId, id: 'mine', url: webhook.url, token: 'new' }
  await probe.call('JSONRPC', 'CreateTaskPushNotificationConfig', rotated)
  expect(await webhook.until('COMPLETED')).toEqual(await logOf(probe, taskId))
  const tokens = webhook.received.map(({ headers }) => headers['x-a2a-notification-token'])
  expect(tokens.slice(0, 2)).toEqual(['old', 'old'])
  expect(new Set(tokens.slice(2))).toEqual(new Set(['new']))
})

test.each<[string, Behaviour]>([
  ['its next try waits', 500],
  ['a request is under way', 'hang'],
])('deleting a config while %s ends it', async (_, behaviour) => {
  const { probe, webhook } = await start({
    pushTimeout: 60_000,
    pushFirstDelay: 300,
    pushLongestDelay: 300,
  })
  webhook.answers([], behaviour)
  const taskId = await send(probe, webhook, 'ask', { id: 'mine' })
  await webhook.count(1)
  await probe.call('JSONRPC', 'DeleteTaskPushNotificationConfig', { taskId, id: 'mine' })
  await until('the end of the request', () => !webhook.received[0]!.open)
  webhook.answers([])
  await answer(probe, taskId, 'thanks')
  await untilState(probe, taskId, 'COMPLETED')
  // A second config that goes through the same pause: by its end the first would have been tried again.
  const other = await startWebhook()
  other.answers([500, 500])
  await send(probe, other, 'complete', {})
  await other.until('COMPLETED')
  expect(webhook.received).toHaveLength(1)
})

test('two configs of one task know nothing of each other', async () => {
  const { probe, webhook: hanging } = await start()
  const good = await startWebhook()
  hanging.answers([], 'hang')
  const taskId = await begin(probe, 'ask; chunks 3')
  await untilState(probe, taskId, 'INPUT_REQUIRED')
  for (const { url } of [hanging, good]) {
    await probe.call('JSONRPC', 'CreateTaskPushNotificationConfig', { taskId, url })
  }
  await answer(probe, taskId, 'thanks')
  const events = await good.until('COMPLETED')
  expect(events).toEqual((await logOf(probe, taskId)).slice(2))
  expect(hanging.received).toHaveLength(1)
})

test('an agent that stops cuts what it sends, and sends it again when it is started', async () => {
  const { probe, webhook } = await start()
  webhook.answers([200], 'hang')
  const id = await send(probe, webhook, 'artifact a b', { id: 'mine' })
  await webhook.count(2)
  await probe.close()
  webhook.answers([])
  const again = await startProbe({ settings: local, dataDir: probe.dataDir })
  expect(await webhook.until('COMPLETED')).toEqual(await logOf(again, id))
})

test('failed tries count across a restart, and a receiver that was given up stays so', async () => {
  const rarely = { pushAttempts: 2, pushFirstDelay: 60_000, pushLongestDelay: 60_000 }
  const { probe, webhook, tries } = await start(rarely)
  webhook.answers([], 500)
  await send(probe, webhook, 'complete')
  await until('a failed try', () => tries().length)
  await probe.close()
  const { log, lines } = readableLog()
  const again = await startProbe({ settings: { ...local, ...rarely }, dataDir: probe.dataDir, log })
  await until('the last try', () => lines.some(({ msg }) => msg.includes('is given up')))
  await again.close()
  const last = await startProbe({ settings: local, dataDir: probe.dataDir })
  const other = await startWebhook()
  await send(last, other, 'complete')
  await other.until('COMPLETED')
  expect(webhook.received).toHaveLength(2)
})
