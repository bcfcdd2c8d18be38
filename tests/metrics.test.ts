// `/metrics`: what it counts, who may read it, and that nothing in it tells who calls or what about.
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { bindings, type Probe, startProbe, userMessage } from './support/probe.ts'
import { raw } from './support/raw.ts'
import { begin, send } from './support/talk.ts'
import { until, untilState } from './support/wait.ts'
import { local, startWebhook } from './support/webhook.ts'

const metricsToken = 'metrics-token-0123456789abcdef'
const bearer = { headers: { authorization: `Bearer ${metricsToken}` } }

const scrape = async ({ url }: Pick<Probe, 'url'>) => {
  const response = await fetch(`${url}/metrics`, bearer)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toContain('text/plain; version=0.0.4')
  return response.text()
}

/** The values of the metric by what its labels say, in their order. */
function valuesOf(text: string, name: string): Record<string, number> {
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
  return Object.fromEntries(
    lines.map((line) => {
      const labels = [...line.matchAll(/\w+="([^"]*)"/g)].map(([, value]) => value).join(' ')
      return [labels, Number(line.split(' ').at(-1))]
    }),
  )
}

test('it counts tasks, waits, streams, turns, receivers, operations and refusals over every binding', async () => {
  const probe = await startProbe({ metricsToken, settings: { ...local, pushAttempts: 1 } })
  const webhook = await startWebhook()
  webhook.answers([], 500)
  const config = { configuration: { taskPushNotificationConfig: { url: webhook.url } } }
  await probe.call('JSONRPC', 'SendMessage', { message: userMessage('complete'), ...config })
  await send(probe, 'ask')
  await send(probe, 'authorize')
  const hanging = await begin(probe, 'working; hang')
  await untilState(probe, hanging, 'WORKING')
  const streams = []
  for (const binding of bindings) {
    const { error } = await probe.call(binding, 'GetTask', { id: 'nothing' })
    expect(error?.code).toBeDefined()
    const stream = await probe.stream(binding, 'SubscribeToTask', { id: hanging })
    await stream.frames.next()
    streams.push(stream)
  }
  await raw(`${probe.url}/a2a`, {
    method: 'POST',
    body: '{',
    headers: { 'Content-Type': 'application/json' },
  })
  await raw(`${probe.url}/a2a`, { method: 'POST', body: 'x', headers: { 'Content-Type': 'text/plain' } })
  await raw(`${probe.url}/nowhere`)
  await raw(`${probe.url}/approve/nothing`, { method: 'POST' })
  await raw(`${probe.url}/a2a/%zz`)

  const text = await until('a receiver that was given up', async () => {
    const some = await scrape(probe)
    return valuesOf(some, 'a2a_push_receivers').failing === 1 && some
  })
  expect(valuesOf(text, 'a2a_tasks')).toMatchObject({
    TASK_STATE_COMPLETED: 1,
    TASK_STATE_INPUT_REQUIRED: 1,
    TASK_STATE_AUTH_REQUIRED: 1,
    TASK_STATE_WORKING: 1,
  })
  expect(valuesOf(text, 'a2a_waits')).toEqual({ question: 1, approval: 1, peer: 0 })
  const oldest = valuesOf(text, 'a2a_oldest_wait_seconds')
  expect([oldest.question! > 0, oldest.peer]).toEqual([true, 0])
  expect(oldest.question!).toBeGreaterThanOrEqual(oldest.approval!)
  expect(valuesOf(text, 'a2a_open_streams')).toEqual({ JSONRPC: 1, 'HTTP+JSON': 1, GRPC: 1 })
  expect(valuesOf(text, 'a2a_turns')).toEqual({ running: 1, queued: 0 })
  expect(valuesOf(text, 'a2a_push_receivers')).toEqual({ due: 0, failing: 1 })
  expect(valuesOf(text, 'a2a_operation_duration_seconds_count')).toMatchObject({
    'SendMessage JSONRPC ok': 4,
    ...Object.fromEntries(bindings.map((binding) => [`GetTask ${binding} refused`, 1])),
    ...Object.fromEntries(bindings.map((binding) => [`SubscribeToTask ${binding} ok`, 1])),
  })
  expect(valuesOf(text, 'a2a_refused_requests_total')).toEqual({
    ...Object.fromEntries(bindings.map((binding) => [`TaskNotFoundError ${binding}`, 1])),
    'ParseError JSONRPC': 1,
    'UnsupportedMediaTypeError JSONRPC': 1,
    'InvalidRequestError HTTP+JSON': 1,
    'MethodNotFoundError none': 1,
    'operator 404 none': 1,
  })
  expect(valuesOf(text, 'a2a_commit_duration_seconds_count')['']).toBeGreaterThan(5)
  expect(text).toContain('process_cpu_seconds_total')

  for (const { close } of streams) close()
  await until('no stream that is open', async () =>
    isDeepStrictEqual(valuesOf(await scrape(probe), 'a2a_open_streams'), {
      JSONRPC: 0,
      'HTTP+JSON': 0,
      GRPC: 0,
    }),
  )
})

test('what clients write, and who they are, is in no label', async () => {
  const callerTokens = { 'caller-of-mine': 'caller-token-0123456789abcdef' }
  const probe = await startProbe({ metricsToken, callerTokens })
  const headers = { authorization: `Bearer ${callerTokens['caller-of-mine']}` }
  const message = userMessage('complete')
  const { result } = await probe.call('JSONRPC', 'SendMessage', { message }, headers)
  await probe.call('JSONRPC', 'MadeUpMethod', {}, headers)
  await raw(`${probe.url}/a2a/tasks/made-up-id`, {
    headers: { ...headers, 'A2A-Version': 'made-up-version' },
  })
  await raw(`${probe.url}/made-up-path`)
  const before = await scrape(probe)
  expect(before).not.toMatch(/made-?up|caller-of-mine|caller-token|metrics-token/i)
  expect(before).not.toContain(result.task.id)
  expect(before).not.toContain(result.task.contextId)
  const series = (text: string) =>
    text
      .split('\n')
      .filter((line) => line.startsWith('a2a_'))
      .map((line) => line.replace(/ \S+$/, ''))
  for (let nth = 0; nth < 5; nth += 1) await probe.call('JSONRPC', `MadeUp${nth}`, {}, headers)
  expect(series(await scrape(probe))).toEqual(series(before))
})

test('only who has the token reads it; without a token there is nothing to read', async () => {
  const probe = await startProbe({ metricsToken })
  for (const authorization of [
    '',
    'Bearer',
    'Bearer wrong',
    `Basic ${metricsToken}`,
    `Bearer ${metricsToken}x`,
  ]) {
    const answer = await raw(`${probe.url}/metrics`, { headers: { authorization } })
    expect([answer.status, answer.headers.get('www-authenticate'), answer.text.includes('a2a_')]).toEqual([
      401,
      'Bearer',
      false,
    ])
  }
  const off = await startProbe()
  expect((await raw(`${off.url}/metrics`, bearer)).status).toBe(404)
})
