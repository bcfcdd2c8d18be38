// What HTTP leaves open: media types, empty bodies, the ways to subscribe, slashes.
import { describe, expect, test } from 'vitest'
import { userMessage } from './support/probe.ts'
import { dataOf, expectHttpJsonError, expectJsonRpcError, json, raw } from './support/raw.ts'
import { shareProbe } from './support/shared-probe.ts'

const shared = shareProbe()

const version = { 'A2A-Version': '1.0' }
const at = (path: string, init?: RequestInit) => raw(`${shared.probe.url}/a2a${path}`, init)
type Body = Exclude<RequestInit['body'], undefined>
const post = (path: string, body: Body, headers: Record<string, string> = json) =>
  at(path, { method: 'POST', headers, body })

const sending = () => ({ message: userMessage('complete') })
const sendingByRpc = () => ({ jsonrpc: '2.0', id: 7, method: 'SendMessage', params: sending() })
/** A body without a Content-Type of its own. */
const untyped = (value: object) => new TextEncoder().encode(JSON.stringify(value))

async function waiting(): Promise<string> {
  const { result } = await shared.probe.call('JSONRPC', 'SendMessage', { message: userMessage('ask what?') })
  return result.task.id
}

describe('MEDIA-TYPES: a body and its answer', () => {
  test.each([
    'application/json',
    'application/a2a+json',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'APPLICATION/JSON',
    'Application/A2A+JSON ; charset=utf-8',
  ])('%s is taken by both bindings [JSONRPC-FMT-002] [HTTP_JSON-SVC-001]', async (type) => {
    const headers = { ...version, 'Content-Type': type }
    const rest = await post('/message:send', untyped(sending()), headers)
    expect(rest.body.task.status.state).toBe('TASK_STATE_COMPLETED')
    const rpc = await post('', untyped(sendingByRpc()), headers)
    expect(rpc.body.result.task.status.state).toBe('TASK_STATE_COMPLETED')
    expect(rpc.headers.get('content-type')).toMatch(/^application\/json\b/)
  })

  test.each([
    ['none', {}],
    ['text/plain', { 'Content-Type': 'text/plain' }],
    ['a form', { 'Content-Type': 'application/x-www-form-urlencoded' }],
    ['application/jsonp', { 'Content-Type': 'application/jsonp' }],
    ['nonsense', { 'Content-Type': 'nonsense' }],
  ])('%s is 415 on both, in the shape of each', async (_, type) => {
    await shared.changesNothing(async () => {
      for (const path of ['/message:send', '/message:stream']) {
        const rest = await post(path, untyped(sending()), { ...version, ...type })
        expectHttpJsonError(rest, 415, 'INVALID_ARGUMENT', 'CONTENT_TYPE_NOT_SUPPORTED')
        expect(rest.body.error.message).toContain('application/json')
      }
      const rpc = await post('', untyped(sendingByRpc()), { ...version, ...type })
      expect(rpc.status).toBe(415)
      expectJsonRpcError(rpc, -32005, 'CONTENT_TYPE_NOT_SUPPORTED')
    })
  })

  const [a2a, plain] = ['application/a2a+json', 'application/json']
  test.each([
    ['nothing', 'application/json', {}, plain],
    ['anything', 'application/json', { Accept: '*/*' }, plain],
    ['anything', 'application/a2a+json', { Accept: '*/*' }, a2a],
    ['application/a2a+json', 'application/json', { Accept: 'application/a2a+json' }, a2a],
    ['both', 'application/json', { Accept: 'application/json, application/a2a+json;q=0.9' }, a2a],
    ['application/json', 'application/a2a+json', { Accept: 'application/json' }, plain],
    ['a stream', 'application/a2a+json', { Accept: 'text/event-stream' }, a2a],
    ['Application/A2A+JSON', 'application/json', { Accept: 'Application/A2A+JSON' }, a2a],
  ])(
    'who accepts %s and sends %s gets the reply in the fitting one [HTTP_JSON-SVC-001]',
    async (_, type, accept, reply) => {
      const headers = { ...version, 'Content-Type': type, ...accept }
      const expected = expect.stringMatching(new RegExp(`^${reply.replace('+', '\\+')}\\b`))
      const good = await post('/message:send', JSON.stringify(sending()), headers)
      expect([good.status, good.headers.get('content-type')]).toEqual([200, expected])
      const bad = await post('/message:stream', '{}', headers)
      expect([bad.status, bad.headers.get('content-type')]).toEqual([400, expected])
      const none = await post('/nonsense', '{}', headers)
      expect([none.status, none.headers.get('content-type')]).toEqual([404, expected])
    },
  )

  test('a GET is answered by what it accepts', async () => {
    for (const [accept, type] of [
      ['*/*', 'application/json'],
      ['application/a2a+json', 'application/a2a+json'],
    ]) {
      const { headers } = await at('/tasks', { headers: { ...version, Accept: accept! } })
      expect(headers.get('content-type')).toContain(type)
    }
  })

  test('SSE-IDLE-HEARTBEAT: a stream says that nobody may keep it or hold it back', async () => {
    const response = await fetch(`${shared.probe.url}/a2a/message:stream`, {
      method: 'POST',
      headers: { ...json, Accept: 'application/json' },
      body: JSON.stringify(sending()),
    })
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream\b/)
    expect(response.headers.get('cache-control')).toContain('no-cache')
    expect(response.headers.get('x-accel-buffering')).toBe('no')
    const text = await response.text()
    expect(text).toMatch(/^(id: \d+\ndata: \{.*\}\n\n)+$/)
  })
})

test('a body that is not UTF-8 is 400 on both bindings, and not mended', async () => {
  await shared.changesNothing(async () => {
    const latin1 = (value: object) => Buffer.from(JSON.stringify(value).replace('complete', 'é'), 'latin1')
    const rest = await post('/message:send', latin1(sending()))
    expectHttpJsonError(rest, 400, 'INVALID_ARGUMENT', 'PARSE_ERROR')
    expectJsonRpcError(await post('', latin1(sendingByRpc())), -32700, 'PARSE_ERROR')
  })
})

test('a body that is nested without end is 400 on both bindings, and the agent lives', async () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  const nested = (value: object) => JSON.stringify(value).replace('"text":"complete"', `"data":${deep}`)
  const rest = await post('/message:send', nested(sending()))
  expectHttpJsonError(rest, 400, 'INVALID_ARGUMENT', 'INVALID_PARAMS')
  expectJsonRpcError(await post('', nested(sendingByRpc())), -32602, 'INVALID_PARAMS', 7)
  expectJsonRpcError(await post('', deep), -32600, 'INVALID_REQUEST')
})

test('a number that no double can hold is refused, and not stored as null', async () => {
  const infinite = (value: object) =>
    JSON.stringify(value).replace('"text":"complete"', '"data":{"a":[1e999]}')
  await shared.changesNothing(async () => {
    const rest = await post('/message:send', infinite(sending()))
    expectHttpJsonError(rest, 400, 'INVALID_ARGUMENT', 'INVALID_PARAMS')
    expect(rest.body.error.message).toContain('message.parts[0].data')
    expectJsonRpcError(await post('', infinite(sendingByRpc())), -32602, 'INVALID_PARAMS', 7)
  })
})

test('JSON-RPC is served with and without a slash at the end, without a redirect', async () => {
  for (const path of ['', '/', '?A2A-Version=1.0', '/?A2A-Version=1.0']) {
    const init = {
      method: 'POST',
      headers: json,
      body: JSON.stringify(sendingByRpc()),
      redirect: 'manual',
    } as const
    const { status, body } = await at(path, init)
    expect([status, body.result.task.status.state]).toEqual([200, 'TASK_STATE_COMPLETED'])
  }
})

describe('empty bodies', () => {
  const forms: [string, Body, Record<string, string>][] = [
    ['no body and no Content-Type', null, version],
    ['no body', null, json],
    ['an empty body', '', json],
    ['{}', '{}', json],
    ['null', 'null', json],
    ['null as a2a+json', 'null', { ...version, 'Content-Type': 'application/a2a+json' }],
  ]

  test.each(forms)(':cancel takes %s', async (_, body, headers) => {
    const id = await waiting()
    const answer = await post(`/tasks/${id}:cancel`, body, headers)
    expect([answer.status, answer.body.status.state]).toEqual([200, 'TASK_STATE_CANCELED'])
  })

  test('a body that repeats the id of the path is accepted, and the path counts', async () => {
    const id = await waiting()
    const answer = await post(`/tasks/${id}:cancel`, JSON.stringify({ id, tenant: '', metadata: { a: 1 } }))
    expect(answer.body).toMatchObject({ id, status: { state: 'TASK_STATE_CANCELED' } })
  })

  test.each([
    ...forms.map(([what, body, headers]) => [`POST with ${what}`, 'POST', body, headers] as const),
    ['GET', 'GET', null, version] as const,
  ])('SUB-GET-AND-POST: %s subscribes', async (_, method, body, headers) => {
    const id = await waiting()
    const response = await fetch(`${shared.probe.url}/a2a/tasks/${id}:subscribe`, {
      method,
      headers: { ...headers, Accept: 'text/event-stream' },
      body,
    })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    await shared.probe.call('HTTP+JSON', 'CancelTask', { id })
    const frames = dataOf(await response.text())
    expect(frames.map((frame) => (frame.task ?? frame.statusUpdate).status.state)).toEqual([
      'TASK_STATE_INPUT_REQUIRED',
      'TASK_STATE_CANCELED',
    ])
  })

  test('SUB-GET-AND-POST: over GET and POST the stream is the same', async () => {
    const id = await waiting()
    const opened = await Promise.all(
      ['GET', 'POST'].map((method) =>
        fetch(`${shared.probe.url}/a2a/tasks/${id}:subscribe`, { method, headers: version }),
      ),
    )
    await shared.probe.call('HTTP+JSON', 'CancelTask', { id })
    const [got, posted] = await Promise.all(opened.map((response) => response.text()))
    expect(got).toBe(posted)
  })

  test.each(['nonsense', 'Subscribe', 'subscribe:', 'subscribed', ''])(
    'SUB-GET-AND-POST: the verb %j of a task that is there is an unknown address, not a missing task',
    async (verb) => {
      const id = await waiting()
      for (const method of ['GET', 'POST']) {
        const answer = await at(`/tasks/${id}:${verb}`, { method, headers: version })
        expectHttpJsonError(answer, 404, 'UNIMPLEMENTED', 'METHOD_NOT_FOUND')
      }
    },
  )

  test('HEAD opens no stream', async () => {
    const { status } = await at(`/tasks/${await waiting()}:subscribe`, { method: 'HEAD', headers: version })
    expect(status).toBe(404)
  })
})
