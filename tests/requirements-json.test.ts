// The forms of the two JSON bindings (§9, §11): envelopes, service parameters, streams, addresses, queries.
import { conformance } from '@a2a-kit/conformance'
import { describe, expect, test } from 'vitest'
import { startProbe, userMessage } from './support/probe.ts'
import { dataOf, json, operations, raw, requestOf } from './support/raw.ts'
import { judge } from './support/schema.ts'
import { shareProbe } from './support/shared-probe.ts'

const shared = shareProbe()
type JsonBinding = 'JSONRPC' | 'HTTP+JSON'

describe('JSON-RPC', () => {
  test.each(operations)('has the method %s, by this name alone [JSONRPC-SVC-001]', async (operation) => {
    const codeOf = async (method: string) => {
      const [path, { body, ...init }] = requestOf('JSONRPC', operation)
      const request = { ...JSON.parse(String(body)), method }
      return (await raw(`${shared.probe.url}/a2a${path}`, { ...init, body: JSON.stringify(request) })).body
        .error?.code
    }
    expect(await codeOf(operation)).not.toBe(-32601)
    expect(await codeOf(operation[0]!.toLowerCase() + operation.slice(1))).toBe(-32601)
  })

  test('speaks JSON-RPC 2.0 in application/json, errors included [JSONRPC-FMT-001] [JSONRPC-FMT-002]', async () => {
    const post = (request: object) =>
      raw(`${shared.probe.url}/a2a`, { method: 'POST', headers: json, body: JSON.stringify(request) })
    const request = { jsonrpc: '2.0', id: 'seven', method: 'ListTasks', params: {} }
    const good = await post(request)
    expect(good.body).toEqual({ jsonrpc: '2.0', id: 'seven', result: expect.any(Object) })
    const bad = await post({ ...request, method: 'GetTask', params: { id: 'none' } })
    expect(bad.body).toEqual({ jsonrpc: '2.0', id: 'seven', error: expect.any(Object) })
    const none = await post({ ...request, jsonrpc: '1.0' })
    expect(none.body).toMatchObject({ jsonrpc: '2.0', error: { code: -32600 } })
    for (const { headers } of [good, bad, none]) {
      expect(headers.get('content-type')).toMatch(/^application\/json\b/)
    }
  })
})

/** What is sent as service parameters, and the extensions that the agent says are active then. */
async function activated(binding: JsonBinding, headers: [string, string][]) {
  const agent = {
    ...conformance,
    extensions: ['a', 'b', 'c'].map((name) => ({ uri: `urn:test:${name}` })),
  }
  const probe = await startProbe({ agent, callerTokens: { alice: 'a-token-of-alice-1' } })
  const [path, init] = requestOf(binding, 'ListTasks')
  const response = await fetch(`${probe.url}/a2a${path}`, {
    ...init,
    headers: [['content-type', 'application/json'], ...headers],
  })
  return { status: response.status, active: response.headers.get('a2a-extensions') }
}

const serviceParameters = async (binding: JsonBinding) => {
  const authorization: [string, string] = ['AUTHORIZATION', 'Bearer a-token-of-alice-1']
  for (const extensions of [
    [['A2A-Extensions', 'urn:test:a, urn:none,urn:test:c']],
    [
      ['a2a-extensions', 'urn:test:a'],
      ['A2A-EXTENSIONS', 'urn:none, urn:test:c'],
    ],
  ] as [string, string][][]) {
    const answer = await activated(binding, [['a2a-VERSION', '1.0'], authorization, ...extensions])
    expect(answer).toEqual({ status: 200, active: 'urn:test:a, urn:test:c' })
  }
}

test('JSON-RPC takes the service parameters from headers of any case, with several values in one or in more [JSONRPC-SVC-002]', () =>
  serviceParameters('JSONRPC'))

test('HTTP+JSON takes the service parameters from headers of any case, with several values in one or in more [HTTP_JSON-SVC-002]', () =>
  serviceParameters('HTTP+JSON'))

/** The data of the events of both kinds of stream over `binding`, each read from the bare answer. */
async function eventsOver(binding: JsonBinding): Promise<Record<string, unknown>[]> {
  const { url } = shared.probe
  const message = userMessage('working; artifact a b; authorize cleanup')
  const { result } = await shared.probe.call('JSONRPC', 'SendMessage', { message })
  const { id } = result.task
  const [path, init] = requestOf(binding, 'SubscribeToTask', { params: { id } })
  const sending = { params: { message: userMessage('working; artifact a b; complete done') } }
  const [sendPath, sendInit] = requestOf(binding, 'SendStreamingMessage', sending)
  const streams = await Promise.all([
    fetch(`${url}/a2a${path.replace('/T:', `/${id}:`)}`, init),
    fetch(`${url}/a2a${sendPath}`, sendInit),
  ])
  await fetch(`${url}/approve/${id}`, { method: 'POST' })
  for (const { headers } of streams) expect(headers.get('content-type')).toMatch(/^text\/event-stream\b/)
  const events = (await Promise.all(streams.map((stream) => stream.text()))).map(dataOf)
  expect(events.map((all) => all.length)).toEqual([4, 4])
  return events.flat()
}

test('a stream over JSON-RPC is text/event-stream, and each event is a JSON-RPC answer with a StreamResponse [JSONRPC-SSE-001]', async () => {
  const faults = await judge(shared.probe.url)
  for (const { result, ...envelope } of await eventsOver('JSONRPC')) {
    expect(envelope).toEqual({ jsonrpc: '2.0', id: 7 })
    expect(faults('StreamResponse', result)).toEqual([])
  }
})

test('a stream over HTTP+JSON is text/event-stream, and each event is a StreamResponse [HTTP_JSON-SSE-001]', async () => {
  const faults = await judge(shared.probe.url)
  for (const event of await eventsOver('HTTP+JSON')) expect(faults('StreamResponse', event)).toEqual([])
})

test('over HTTP+JSON each operation has its method and address, and each other method is refused [HTTP_JSON-URL-001] [HTTP_JSON-URL-002]', async () => {
  // §5.3. A subscription may come by GET too, as the proto has it.
  const addresses = [
    ['POST', '/message:send'],
    ['POST', '/message:stream'],
    ['GET', '/tasks/T'],
    ['GET', '/tasks'],
    ['POST', '/tasks/T:cancel'],
    ['POST', '/tasks/T:subscribe'],
    ['POST', '/tasks/T/pushNotificationConfigs'],
    ['GET', '/tasks/T/pushNotificationConfigs/C'],
    ['GET', '/tasks/T/pushNotificationConfigs'],
    ['DELETE', '/tasks/T/pushNotificationConfigs/C'],
    ['GET', '/extendedAgentCard'],
  ] as const
  for (const [method, path] of addresses) {
    const body = method === 'POST' ? { body: '{}' } : {}
    const { body: answer } = await raw(`${shared.probe.url}/a2a${path}`, { method, headers: json, ...body })
    const reason = answer.error?.details[0].reason
    expect([path, ['METHOD_NOT_FOUND', 'METHOD_NOT_ALLOWED'].includes(reason)]).toEqual([path, false])
  }
  for (const path of new Set(addresses.map(([, path]) => path))) {
    const known = new Set<string>(addresses.filter(([, one]) => one === path).map(([method]) => method))
    if (path.endsWith(':subscribe')) known.add('GET')
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((one) => !known.has(one))) {
      expect((await raw(`${shared.probe.url}/a2a${path}`, { method, headers: json })).status).toBe(405)
    }
  }
})

test('the parameters of a GET come in the query: in camelCase, as texts, URL-encoded [HTTP_JSON-QP-001]', async () => {
  const probe = await startProbe()
  const contextId = 'a b&c=d/é?#+%'
  const send = async (text: string, more: object) =>
    (await probe.call('HTTP+JSON', 'SendMessage', { message: userMessage(text, more) })).result.task
  const { id } = await send('artifact a b; ask What?', { contextId })
  await send('this', { taskId: id })
  await send('complete', {})
  await send('artifact c d', { contextId })
  const get = async (path: string) => (await raw(`${probe.url}/a2a${path}`, { headers: json })).body
  const query = {
    contextId: encodeURIComponent(contextId),
    status: 'TASK_STATE_COMPLETED',
    pageSize: '1',
    historyLength: '1',
    statusTimestampAfter: encodeURIComponent('2020-01-01T00:00:00Z'),
    includeArtifacts: 'true',
  }
  const queryOf = (more: object) =>
    Object.entries({ ...query, ...more })
      .map(([name, value]) => `${name}=${value}`)
      .join('&')
  const first = await get(`/tasks?${queryOf({})}`)
  expect([first.totalSize, first.pageSize, first.tasks.length]).toEqual([2, 1, 1])
  const second = await get(`/tasks?${queryOf({ pageToken: encodeURIComponent(first.nextPageToken) })}`)
  expect(second.tasks[0]).toMatchObject({ id, contextId, artifacts: [{ name: 'a' }, { name: 'answer' }] })
  expect(second.tasks[0].history).toHaveLength(1)
  const bare = await get(`/tasks?${queryOf({ includeArtifacts: 'false', historyLength: '0' })}`)
  expect(Object.keys(bare.tasks[0])).toEqual(['id', 'contextId', 'status'])
  expect((await get(`/tasks/${id}?historyLength=2`)).history).toHaveLength(2)
  expect((await get(`/tasks?${queryOf({ statusTimestampAfter: '2999-01-01T00:00:00Z' })}`)).tasks).toEqual([])
})
