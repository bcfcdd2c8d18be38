import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type ConnectOptions, connect } from '../connect.ts'
import { ConnectionError } from '../errors.ts'
import { bothBindings, type Exchange, fakeAgent } from '../testing/fake-agent.ts'
import { drain, hello, quickWorld, taskIn } from '../testing/fixtures.ts'

const once: ConnectOptions = { world: quickWorld(), retry: { attempts: 1 } }
const task = taskIn('TASK_STATE_COMPLETED')
const list = { tasks: [task], nextPageToken: '', pageSize: 50, totalSize: 1 }

/** Answers every operation well. */
function wellBehaved({ method, result, stream }: Exchange) {
  if (method === 'SendMessage') return result({ task })
  if (method === 'ListTasks') return result(list)
  if (method === 'SendStreamingMessage' || method === 'SubscribeToTask') return stream().frame({ task }).end()
  return result(task)
}

/** Calls every operation once, each with the id and fields that are hardest to carry. */
async function callAll(url: string, options: ConnectOptions = {}) {
  const client = await connect(url, { ...once, ...options })
  const id = 'a/b?c#d%e:f ü'
  return [
    await client.sendMessage(hello, { returnImmediately: true, historyLength: 0, metadata: { k: 1 } }),
    await drain(client.sendStreamingMessage(hello)),
    await client.getTask(id, { historyLength: 0 }),
    await client.listTasks({ status: 'TASK_STATE_WORKING', historyLength: 0, includeArtifacts: false }),
    await client.cancelTask(id, { metadata: { why: 'x' } }),
    await drain(client.subscribeToTask(id)),
  ]
}

describe.each(bothBindings)('%s', (binding) => {
  const agentThat = (answer: (exchange: Exchange) => unknown) => fakeAgent(answer, { binding })

  test('carries every operation and gives its answer', async () => {
    const { url, methods } = await agentThat(wellBehaved)
    const stream = { got: [{ event: { task } }] }
    expect(await callAll(url)).toEqual([{ task }, stream, task, list, task, stream])
    expect(methods()).toEqual([
      'SendMessage',
      'SendStreamingMessage',
      'GetTask',
      'ListTasks',
      'CancelTask',
      'SubscribeToTask',
    ])
  })

  test('VERSION-ABSENT: every request has A2A-Version: 1.0 [VER-CLIENT-001]', async () => {
    const { url, exchanges } = await agentThat(wellBehaved)
    await callAll(url)
    expect(exchanges.map(({ headers }) => headers['a2a-version'])).toEqual(Array(6).fill('1.0'))
  })

  test('EXTENSIONS-REQUIRED: every request names the activated extensions, and none without', async () => {
    const { url, exchanges } = await agentThat(wellBehaved)
    await callAll(url, { extensions: ['urn:a', 'urn:b'] })
    expect(exchanges.map(({ headers }) => headers['a2a-extensions'])).toEqual(Array(6).fill('urn:a,urn:b'))
    exchanges.length = 0
    await callAll(url)
    expect(exchanges.every(({ headers }) => headers['a2a-extensions'] === undefined)).toBe(true)
  })

  test('HISTORY-LENGTH: 0 is sent as 0', async () => {
    const { url, exchanges } = await agentThat(wellBehaved)
    await callAll(url)
    const [sent, , got, listed] = exchanges
    expect(sent?.params.configuration).toEqual({ returnImmediately: true, historyLength: 0 })
    if (binding === 'JSONRPC') {
      expect(got?.params.historyLength).toBe(0)
      expect(listed?.params.historyLength).toBe(0)
    } else {
      expect(got?.url).toMatch(/\?historyLength=0$/)
      expect(listed?.url).toMatch(/[?&]historyLength=0(&|$)/)
    }
  })

  test.each([
    'application/json',
    'application/a2a+json',
    'application/json; charset=utf-8',
    'APPLICATION/JSON',
    'Application/A2A+JSON;charset="utf-8"',
  ])('MEDIA-TYPES: reads results and errors of %s', async (mediaType) => {
    let answer = ''
    const { url } = await agentThat(({ reply }) => reply(200, mediaType, answer))
    const client = await connect(url, once)
    answer = JSON.stringify(binding === 'JSONRPC' ? { jsonrpc: '2.0', id: 1, result: task } : task)
    expect(await client.getTask('T')).toEqual(task)
    const error = binding === 'JSONRPC' ? { code: -32001 } : { code: 404, status: 'NOT_FOUND' }
    answer = JSON.stringify({ error: { ...error, message: 'Gone.' } })
    await expect(client.getTask('T')).rejects.toMatchObject({ name: 'TaskNotFoundError', message: 'Gone.' })
    expect((await drain(client.subscribeToTask('T'))).error).toMatchObject({ name: 'TaskNotFoundError' })
  })

  test.each([
    ['a state in lower case', { id: 'T', status: { state: 'completed' } }],
    ['an unspecified state', { id: 'T', status: { state: 'TASK_STATE_UNSPECIFIED' } }],
    ['no task', {}],
    ['nothing', null],
    ['artifacts of another shape', { ...task, artifacts: [{ artifactId: 'a' }] }],
  ])('ENUM-FORMS: %s is an invalid answer, not something to wait for', async (_, value) => {
    const { url } = await agentThat(({ method, result }) =>
      method === 'SendMessage' ? result({ task: value }) : result(value),
    )
    const client = await connect(url, once)
    for (const call of [client.getTask('T'), client.cancelTask('T'), client.sendMessage(hello)]) {
      await expect(call).rejects.toMatchObject({ name: 'InvalidAgentResponseError' })
    }
  })

  test('JSON that is not the protocol is an HttpError with an error status, an invalid answer with HTTP 200', async () => {
    const { url } = await agentThat(({ method, reply }) =>
      reply(method === 'GetTask' ? 404 : 200, 'application/json', '{"message":"no route"}'),
    )
    const client = await connect(url, once)
    await expect(client.getTask('T')).rejects.toMatchObject({ name: 'HttpError', status: 404 })
    await expect(client.cancelTask('T')).rejects.toMatchObject({ name: 'InvalidAgentResponseError' })
  })

  test('a redirect is not followed', async () => {
    const { url, exchanges } = await agentThat(({ reply }) =>
      reply(307, 'text/plain', '', { Location: 'http://127.0.0.1:1/' }),
    )
    await expect((await connect(url, once)).sendMessage(hello)).rejects.toThrow(/HTTP 307.*is not followed/)
    expect(exchanges).toHaveLength(1)
  })

  test('a reply that breaks off in the middle is a lost connection', async () => {
    const { url } = await agentThat(({ response }) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 1000 })
      response.write('{"result":', () => setImmediate(() => response.destroy()))
    })
    const error = await (await connect(url, once)).getTask('T').catch((reason) => reason)
    expect(error.cause).toBeInstanceOf(ConnectionError)
  })

  test('an answer that does not begin, or not go on, in time is a lost connection', async () => {
    const { url } = await agentThat(({ method, response }) => {
      if (method === 'CancelTask') response.writeHead(200, { 'Content-Type': 'application/json' }).write('{')
    })
    const client = await connect(url, { ...once, limits: { replyMs: 300 } })
    await expect(client.getTask('T')).rejects.toThrow(/none began within 0\.3 s/)
    await expect(client.cancelTask('T')).rejects.toThrow(/sent nothing for 0\.3 s/)
  })

  test('a blocking send waits past the limit of other calls', async () => {
    const { url } = await agentThat(({ result }) => setTimeout(() => result({ task }), 900))
    const client = await connect(url, { ...once, limits: { replyMs: 300 } })
    expect(await client.sendMessage(hello)).toEqual({ task })
    await expect(client.sendMessage(hello, { returnImmediately: true })).rejects.toThrow(/none began within/)
  })

  test('an abort ends a call with its reason', async () => {
    const { url, exchanges } = await agentThat(() => stop.abort(new Error('enough')))
    const stop = new AbortController()
    await expect((await connect(url)).sendMessage(hello, { signal: stop.signal })).rejects.toThrow('enough')
    await expect((await connect(url)).getTask('T', { signal: stop.signal })).rejects.toThrow('enough')
    expect(exchanges).toHaveLength(1)
  })
})

test('SUB-GET-AND-POST: over HTTP+JSON paths are encoded, bodies are application/a2a+json, and subscribe is a POST', async () => {
  const { url, exchanges } = await fakeAgent(wellBehaved, { binding: 'HTTP+JSON' })
  await callAll(url)
  const id = 'a%2Fb%3Fc%23d%25e%3Af%20%C3%BC'
  const json = 'application/a2a+json'
  expect(exchanges.map(({ verb, url: path, headers }) => [verb, path, headers['content-type']])).toEqual([
    ['POST', '/a2a/message:send', json],
    ['POST', '/a2a/message:stream', json],
    ['GET', `/a2a/tasks/${id}?historyLength=0`, undefined],
    ['GET', '/a2a/tasks?status=TASK_STATE_WORKING&historyLength=0&includeArtifacts=false', undefined],
    ['POST', `/a2a/tasks/${id}:cancel`, json],
    ['POST', `/a2a/tasks/${id}:subscribe`, json],
  ])
  expect(exchanges.map(({ headers }) => headers.accept)).toEqual([
    'application/a2a+json, application/json',
    'text/event-stream, application/a2a+json, application/json',
    'application/a2a+json, application/json',
    'application/a2a+json, application/json',
    'application/a2a+json, application/json',
    'text/event-stream, application/a2a+json, application/json',
  ])
  expect(exchanges[4]?.body).toEqual({ metadata: { why: 'x' } })
})

test('ENUM-FORMS: ListTasks sends states by name over JSON-RPC too', async () => {
  const { url, exchanges } = await fakeAgent(wellBehaved)
  await callAll(url)
  expect(exchanges[3]?.params).toEqual({
    status: 'TASK_STATE_WORKING',
    historyLength: 0,
    includeArtifacts: false,
  })
  expect(exchanges.map(({ headers }) => headers['content-type'])).toEqual(Array(6).fill('application/json'))
})

test('a list without its empty fields is a list', async () => {
  const { url } = await fakeAgent(({ result }) => result({}))
  const empty = { tasks: [], nextPageToken: '', pageSize: 0, totalSize: 0 }
  expect(await (await connect(url, once)).listTasks()).toEqual(empty)
})

test('what is not HTTP is said to be none', async () => {
  const server = createServer((socket) => socket.end('SSH-2.0-OpenSSH\r\n'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  await expect(connect(`http://127.0.0.1:${port}`, once)).rejects.toThrow(
    `What 127.0.0.1:${port} answered is not HTTP; check the address.`,
  )
})
