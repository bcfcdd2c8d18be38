// How much one caller may do: what is refused, in which words over each binding, and that a refusal stores nothing.
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '@a2a-kit/client'
import type { AgentOptions } from '@a2a-kit/task-core'
import { status as grpc } from '@grpc/grpc-js'
import { describe, expect, test } from 'vitest'
import { detailsOf, grpcClient, metadataOf, rawCall, requestBytes } from './support/grpc.ts'
import { type Answer, type Binding, bindings, type Probe, startProbe, userMessage } from './support/probe.ts'
import { json, raw } from './support/raw.ts'
import { allFrames } from './support/sse.ts'
import { jsonMessage, talk03 } from './support/v03.ts'
import { until } from './support/wait.ts'

const callerTokens = { alice: 'a-token-of-alice-1', bob: 'a-token-of-bob-1234' }
const alice = { Authorization: `Bearer ${callerTokens.alice}` }
const bob = { Authorization: `Bearer ${callerTokens.bob}` }
const start = (settings: AgentOptions['settings']) => startProbe({ callerTokens, settings: settings! })

/** Holds that `answer` is the refusal of §5.4 for too much, in the shape of its binding. */
function expectTooMany({ error, status }: Answer, binding: Binding, words: string): void {
  const code = binding === 'HTTP+JSON' ? 429 : -32600
  expect(error).toMatchObject({ code, reason: 'TOO_MANY_REQUESTS', message: expect.stringContaining(words) })
  expect(status).toBe(binding === 'GRPC' ? grpc.RESOURCE_EXHAUSTED : 429)
}

const totalOf = async (probe: Probe, headers: Record<string, string>): Promise<number> =>
  (await probe.call('JSONRPC', 'ListTasks', {}, headers)).result.totalSize

describe('messages a minute', () => {
  test.each(bindings)(
    'over %s: one more is refused and not stored, and another caller’s is taken',
    async (binding) => {
      const probe = await start({ maxMessagesPerMinute: 2 })
      const send = (message: object, headers: Record<string, string>) =>
        probe.call(binding, 'SendMessage', { message }, headers)
      for (const text of ['complete one', 'complete two']) await send(userMessage(text), alice)
      const third = userMessage('complete three')
      expectTooMany(await send(third, alice), binding, 'Too many messages: this agent takes 2 a minute')
      expect(await totalOf(probe, alice)).toBe(2)
      // Its id was not taken by the refusal.
      expect((await send(third, bob)).result.task.status.state).toBe('TASK_STATE_COMPLETED')
      if (binding === 'GRPC') return
      const stream = probe.stream(binding, 'SendStreamingMessage', { message: third }, alice)
      const { answer } = await stream.catch((error) => error)
      expectTooMany(answer, binding, 'Too many messages')
    },
  )

  test('Retry-After and RetryInfo say how long, to browsers too, to gRPC, and to 0.3', async () => {
    const probe = await startProbe({
      callerTokens,
      settings: { maxMessagesPerMinute: 1, corsOrigins: ['https://ui.example'] },
    })
    const send = { message: userMessage('complete') }
    await probe.call('JSONRPC', 'SendMessage', send, alice)
    const answer = await raw(`${probe.url}/a2a/message:send`, {
      method: 'POST',
      headers: { ...json, ...alice, Origin: 'https://ui.example' },
      body: JSON.stringify(send),
    })
    const seconds = Number(answer.headers.get('retry-after'))
    expect([seconds >= 1, seconds <= 60]).toEqual([true, true])
    expect(answer.headers.get('access-control-expose-headers')).toContain('Retry-After')
    const retry = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${seconds}s` }
    expect(answer.body.error.details[1]).toEqual(retry)

    const client = grpcClient(`localhost:${probe.grpcPort}`)
    const metadata = metadataOf(alice)
    const { error } = await rawCall(client, 'SendMessage', requestBytes('SendMessage', send), { metadata })
    expect(detailsOf(error!)[1]).toEqual({ ...retry, retryDelay: expect.stringMatching(/^\d+s$/) })

    const { rpc, rest } = talk03(`${probe.url}/a2a`)
    const one = await rpc('message/send', { message: jsonMessage('complete') }, alice)
    expect([one.status, one.body.error.data]).toEqual([
      429,
      { reason: 'TOO_MANY_REQUESTS', metadata: { limit: 'messages' }, retryAfter: expect.any(Number) },
    ])
    const message = { messageId: 'other', role: 'ROLE_USER', content: [{ text: 'complete' }] }
    const other = await rest('POST', '/message:send', { message }, alice)
    expect([other.status, other.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)])
  })
})

describe('requests a second', () => {
  test('a burst is cut over every binding, and what comes after the pause is taken', async () => {
    const probe = await start({ maxRequestsPerSecond: 2 })
    const ask = (binding: Binding, headers = alice) => probe.call(binding, 'ListTasks', {}, headers)
    const burst = await Promise.all(
      Array.from({ length: 24 }, async (_, nth) => {
        const binding = bindings[nth % 3]!
        return { binding, answer: await ask(binding) }
      }),
    )
    const refused = burst.filter(({ answer }) => answer.error)
    expect(new Set(refused.map(({ binding }) => binding)).size).toBe(3)
    for (const { binding, answer } of refused) {
      expectTooMany(answer, binding, 'Too many requests: this agent takes 2 a second')
    }
    expect((await ask('JSONRPC', bob)).error).toBeUndefined()
    const head = () => raw(`${probe.url}/a2a/tasks`, { method: 'HEAD', headers: { ...json, ...alice } })
    const heads = await Promise.all(Array.from({ length: 8 }, head))
    const cut = heads.find(({ status }) => status === 429)
    expect([cut?.text, cut?.headers.get('retry-after')]).toEqual(['', '1'])
    await until('the next second', async () => !(await ask('JSONRPC')).error)
  })

  test('the client waits as long as RetryInfo tells it, and goes on', async () => {
    const probe = await start({ maxRequestsPerSecond: 1 })
    const pauses: number[] = []
    const world = {
      now: () => performance.now(),
      random: () => 0,
      async sleep(ms: number) {
        pauses.push(ms)
        await sleep(ms)
      },
    }
    const client = await connect(probe.url, { token: callerTokens.alice, bindings: ['GRPC'], world })
    await until('one that has to wait', async () => {
      await Promise.all([client.listTasks(), client.listTasks()])
      return pauses.length > 0
    })
    expect(pauses[0]).toBe(1000)
  })

  test('callers who are not told apart count by where they come from, as a trusted proxy says', async () => {
    const from = (address: string) => ({ 'X-Forwarded-For': address })
    const refusals = async (probe: Probe, addresses: string[]) => {
      const answers = addresses.map((one, nth) => probe.call(bindings[nth % 3]!, 'ListTasks', {}, from(one)))
      return (await Promise.all(answers)).filter(({ error }) => error).length
    }
    const many = Array.from({ length: 12 }, (_, nth) => `192.0.2.${nth}`)
    const direct = await startProbe({ settings: { maxRequestsPerSecond: 1 } })
    expect(await refusals(direct, many), 'anybody can write the header').toBeGreaterThan(0)
    const behind = { maxRequestsPerSecond: 1, trustProxy: ['127.0.0.0/8', '::1'] }
    const proxied = await startProbe({ settings: behind })
    expect(await refusals(proxied, many)).toBe(0)
    const household = many.map((_, nth) => `2001:db8:0:1::${nth}`)
    expect(await refusals(proxied, household)).toBeGreaterThan(0)
  })
})

describe('tokens that do not hold', () => {
  test('after so many a minute from one address no more are looked at, a right one neither', async () => {
    const probe = await start({ maxAuthFailuresPerMinute: 2 })
    const ask = (headers: Record<string, string>, binding: Binding = 'JSONRPC') =>
      probe.call(binding, 'ListTasks', {}, headers)
    const wrong = { Authorization: 'Bearer a-token-of-nobody-1' }
    // Not to know yet that one must say who one is is no failure.
    for (let nth = 0; nth < 3; nth += 1) expect((await ask({})).status).toBe(401)
    expect((await ask(alice)).error).toBeUndefined()
    for (const binding of bindings.slice(0, 2)) expect((await ask(wrong, binding)).status).toBe(401)
    for (const binding of bindings) {
      expectTooMany(await ask(wrong, binding), binding, 'Too many failed authentications')
      expectTooMany(await ask(alice, binding), binding, 'Too many failed authentications')
    }
    expect((await ask({})).status).toBe(401)
  })
})

describe('streams and blocking calls', () => {
  test.each(bindings)('over %s: each takes a place, and gives it back whatever ends it', async (binding) => {
    const probe = await start({ maxStreamsPerCaller: 2 })
    const made = await probe.call(binding, 'SendMessage', { message: userMessage('authorize deploy') }, alice)
    const { id } = made.result.task
    const subscribe = () => probe.stream(binding, 'SubscribeToTask', { id }, alice)
    const blocking = (text: string) =>
      probe.call(binding, 'SendMessage', { message: userMessage(text) }, alice)

    const streams = [await subscribe(), await subscribe()]
    for (const { frames } of streams) await frames.next()
    const refused = userMessage('complete')
    expectTooMany(
      await probe.call(binding, 'SendMessage', { message: refused }, alice),
      binding,
      'keeps 2 streams and blocking calls open',
    )
    await expect(subscribe()).rejects.toSatisfy(({ answer, details }) =>
      /Too many open calls/.test(answer?.error.message ?? details),
    )
    expect(await totalOf(probe, alice), 'a refused message').toBe(1)
    const configuration = { returnImmediately: true }
    const quick = await probe.call(binding, 'SendMessage', { message: refused, configuration }, alice)
    expect(quick.error, 'its id, and a call that does not wait').toBeUndefined()
    expect(
      (await probe.call(binding, 'SendMessage', { message: userMessage('complete') }, bob)).error,
    ).toBeUndefined()

    // A client that leaves, a stream that ends, a call that is answered, one that fails before it begins.
    streams[0]!.close()
    await until('the place of the stream that was left', async () => !(await blocking('complete')).error)
    for (let nth = 0; nth < 3; nth += 1) {
      const unknown = probe.stream(binding, 'SubscribeToTask', { id: 'none' }, alice)
      await expect(unknown).rejects.toSatisfy(({ answer, details }) =>
        /does not exist/.test(answer?.error.message ?? details),
      )
      expect((await blocking('fail')).result.task.status.state).toBe('TASK_STATE_FAILED')
      const stream = await probe.stream(
        binding,
        'SendStreamingMessage',
        { message: userMessage('complete') },
        alice,
      )
      expect((await allFrames(stream)).length).toBeGreaterThan(1)
      await until('its place', async () => !(await blocking('complete')).error)
    }
    streams[1]!.close()
  })
})

describe('tasks that have not ended', () => {
  test.each(bindings)(
    'over %s: one more is refused, and what is open can be answered, canceled and replaced',
    async (binding) => {
      const probe = await start({ maxOpenTasksPerCaller: 2 })
      const send = (message: object, headers = alice) =>
        probe.call(binding, 'SendMessage', { message }, headers)
      const [asking, other] = [await send(userMessage('ask What?')), await send(userMessage('ask What?'))]
      const third = userMessage('complete')
      expectTooMany(await send(third), binding, 'keeps 2 that have not ended')
      expect(await totalOf(probe, alice)).toBe(2)
      expect((await send(third, bob)).error).toBeUndefined()
      const answer = await send(userMessage('this', { taskId: asking.result.task.id }))
      expect(answer.result.task.status.state).toBe('TASK_STATE_COMPLETED')
      expect((await send(third)).result.task.status.state, 'the same id').toBe('TASK_STATE_COMPLETED')
      await send(userMessage('ask What?'))
      expectTooMany(await send(userMessage('complete')), binding, 'Too many open tasks')
      await probe.call(binding, 'CancelTask', { id: other.result.task.id }, alice)
      expect((await send(userMessage('complete'))).error).toBeUndefined()
    },
  )

  test('of many messages at once exactly as many get in as there is room', async () => {
    const probe = await start({ maxOpenTasksPerCaller: 5 })
    const sends = Array.from({ length: 20 }, () =>
      probe.call('JSONRPC', 'SendMessage', { message: userMessage('ask What?') }, alice),
    )
    const taken = (await Promise.all(sends)).filter(({ result }) => result)
    expect([taken.length, await totalOf(probe, alice)]).toEqual([5, 5])
  })
})

test('the policy says what one caller may do, without what is switched off', async () => {
  const settings = { maxRequestsPerSecond: 7, maxMessagesPerMinute: 0, maxOpenTasksPerCaller: 9 }
  const { url } = await startProbe({ settings })
  const page = await (await fetch(`${url}/policy`, { headers: { accept: 'text/html' } })).text()
  expect(page).toContain('<td>Requests</td><td>7 a second</td>')
  expect(page).toContain('<td>Tasks that have not ended</td><td>9 at once</td>')
  expect(page).not.toContain('<td>Messages</td>')
})
