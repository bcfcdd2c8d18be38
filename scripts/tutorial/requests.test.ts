import { describe, expect, test } from 'vitest'
import type { Body, Exchange, Frame } from '../../capture/model.ts'
import { isRead, renewIds, requestOf, strangeIds, subscription } from './requests.ts'
import { createTwins } from './twins.ts'

const id = 'e5c95b09-6d4b-4b3b-8693-91e81472d12f'
const here = '01a22cb9-6ff8-7242-8a0c-8a08f6f16602'

const exchange = (url: string, body?: Body, { method = 'POST', frames = [] as Frame[] } = {}): Exchange => ({
  n: 1,
  title: '',
  from: 'client',
  to: 'deployer',
  after: [],
  tell: '',
  request: { method, url, headers: [['A2A-Version', '1.0']], ...(body !== undefined && { body }) },
  answer: { status: 200, reason: 'OK', headers: [], ms: 0, frames },
  notice: '',
})

const call = (method: string, params: Body, frames: Frame[] = []) =>
  exchange('{{base}}/a2a', { jsonrpc: '2.0', id: 7, method, params: params! }, { frames })

const capture = (...exchanges: Exchange[]) => ({
  name: '',
  title: '',
  about: '',
  variables: {},
  secrets: [],
  exchanges,
})

test('ids that a client made up are sent in a form of the play, also in an address', () => {
  const twins = createTwins()
  const send = call('SendMessage', { message: { messageId: 'msg-1', contextId: 'ctx-1', taskId: id } })
  const list = exchange('{{base}}/a2a/tasks?contextId=ctx-1', undefined, { method: 'GET' })
  renewIds(capture(send, list), twins, 'abc')
  const { body } = requestOf(send, { base: 'http://localhost:1' }, twins)
  expect(JSON.parse(body!).params.message).toEqual({
    messageId: 'msg-1-abc',
    contextId: 'ctx-1-abc',
    taskId: id,
  })
  expect(requestOf(list, { base: 'http://localhost:1' }, twins)).toMatchObject({
    method: 'GET',
    url: 'http://localhost:1/a2a/tasks?contextId=ctx-1-abc',
  })
})

test('an id is strange until it has a twin', () => {
  const twins = createTwins()
  const get = call('GetTask', { id })
  expect(strangeIds(get, twins)).toEqual([id])
  twins.pair(id, here)
  expect(strangeIds(get, twins)).toEqual([])
})

describe('a request is sent again only if it reads', () => {
  test.each([
    [exchange('{{base}}/a2a/tasks', undefined, { method: 'GET' }), true],
    [exchange('{{base}}/a2a/tasks/1:subscribe'), true],
    [exchange('{{base}}/a2a/tasks/1:cancel'), false],
    [exchange('{{base}}/approve/1'), false],
    [call('GetTask', {}), true],
    [call('tasks/get', {}), true],
    [call('CancelTask', {}), false],
    [call('SendMessage', {}), false],
    [call('message/send', {}), false],
  ])('%o', (one, is) => {
    expect(isRead(one)).toBe(is)
  })
})

describe('a stream that was left is taken up after its last frame', () => {
  const frames = [1, 2, 3].map((at) => ({ atMs: 0, id: `${at}`, data: { statusUpdate: { taskId: id } } }))
  const twins = createTwins()
  twins.pair(id, here)
  const headers = expect.arrayContaining([
    ['A2A-Version', '1.0'],
    ['Last-Event-ID', '2'],
  ])

  test('over JSON-RPC, under the id of its request', () => {
    const stream = call('SendStreamingMessage', {}, frames)
    const request = subscription(stream, requestOf(stream, { base: 'http://localhost:1' }, twins), 2, twins)
    expect(request).toMatchObject({ method: 'POST', url: 'http://localhost:1/a2a', headers })
    expect(JSON.parse(request.body!)).toEqual({
      jsonrpc: '2.0',
      id: 7,
      method: 'SubscribeToTask',
      params: { id: here },
    })
  })

  test('over HTTP+JSON', () => {
    const stream = exchange('{{base}}/a2a/message:stream', { message: {} }, { frames })
    const request = subscription(stream, requestOf(stream, { base: 'http://localhost:1' }, twins), 2, twins)
    expect(request).toMatchObject({ url: `http://localhost:1/a2a/tasks/${here}:subscribe`, headers })
    expect(request.body).toBeUndefined()
  })
})
