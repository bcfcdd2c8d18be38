// The settings of push notifications, as an agent's process reads them.
import { defaultSettings } from '@a2a-kit/task-core'
import { expect, test } from 'vitest'
import { spawnAgent, startChild } from './support/child.ts'
import { temporaryFolder, userMessage } from './support/probe.ts'
import { expectRefusal } from './support/refusals.ts'
import { pushTo, startWebhook } from './support/webhook.ts'

test.each(['localhost,10.0.0.0/33', 'http://localhost'])(
  'PUSH_ALLOWED_HOSTS=%s is refused in one line that names the entry',
  async (list) => {
    const entry = list.split(',').at(-1)
    const child = spawnAgent(0, { dataDir: await temporaryFolder(), env: { PUSH_ALLOWED_HOSTS: list } })
    expect(await child.ended).toBe(1)
    expect(child.log()).toBe(
      `Cannot start conformance: PUSH_ALLOWED_HOSTS has "${entry}", which is no host name, address, CIDR range or *.\n`,
    )
  },
)

test('PUSH-RETRY: unless it is told otherwise, an agent waits for an answer as long as the specification advises', () => {
  const { pushTimeout, pushAttempts, pushFirstDelay, pushLongestDelay } = defaultSettings
  expect(pushTimeout).toBeGreaterThanOrEqual(10_000)
  expect(pushTimeout).toBeLessThanOrEqual(30_000)
  expect(pushAttempts).toBeGreaterThan(1)
  expect(pushLongestDelay).toBeGreaterThan(pushFirstDelay)
})

test('an agent sends nothing to its own machine until it is allowed to', async () => {
  const webhook = await startWebhook()
  const params = () => ({ message: userMessage('complete'), configuration: pushTo(webhook) })
  const strict = await startChild()
  const refused = await strict.call('JSONRPC', 'SendMessage', params())
  expectRefusal(refused, 'JSONRPC', 'INVALID_PARAMS', ['configuration.taskPushNotificationConfig.url'])
  await strict.end('SIGTERM')
  const lenient = await strict.again({ env: { PUSH_ALLOWED_HOSTS: 'localhost, 127.0.0.0/8' } })
  await lenient.call('JSONRPC', 'SendMessage', params())
  await webhook.until('COMPLETED')
})
