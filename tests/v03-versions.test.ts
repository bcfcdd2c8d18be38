// Which names and addresses are of 0.3 and which of 1.0 (§3.6 of 1.0), and the shape in which 0.3 clients get an error.
import { describe, expect, test } from 'vitest'
import { type JsonBinding, jsonBindings, startProbe, userMessage } from './support/probe.ts'
import { raw } from './support/raw.ts'
import { shareProbe } from './support/shared-probe.ts'
import { jsonMessage, protoMessage, talk03 } from './support/v03.ts'

const shared = shareProbe()
const client = () => talk03(`${shared.probe.url}/a2a`)

const sends: Record<
  JsonBinding,
  (version?: string, search?: string) => Promise<{ status: number; body: Body }>
> = {
  JSONRPC: (version, search) =>
    search
      ? bare(search, {
          jsonrpc: '2.0',
          id: 7,
          method: 'message/send',
          params: { message: jsonMessage('complete') },
        })
      : client().rpc('message/send', { message: jsonMessage('complete') }, header(version)),
  'HTTP+JSON': (version, search) =>
    search
      ? bare(`/v1/message:send${search}`, { message: protoMessage('complete') })
      : client().rest('POST', '/message:send', { message: protoMessage('complete') }, header(version)),
}
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
type Body = any
const header = (version?: string) => (version === undefined ? {} : { 'A2A-Version': version })
const bare = (path: string, body: object) =>
  raw(`${shared.probe.url}/a2a${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })

describe.each(jsonBindings)('over %s', (binding) => {
  test.each([undefined, '', '  ', '0.3', '0.3.0', ' 0.3.7 '])(
    'VERSION-ABSENT: a request of 0.3 with A2A-Version %j is served as 0.3 [VER-SERVER-001] [VER-SERVER-003] [VER-CLIENT-002]',
    async (version) => {
      const { status, body } = await sends[binding](version)
      expect(status).toBe(200)
      if (binding === 'JSONRPC')
        expect(body.result).toMatchObject({ kind: 'task', status: { state: 'completed' } })
      else expect(body.task.status.state).toBe('TASK_STATE_COMPLETED')
    },
  )

  test.each(['0.2', '0.4', '0.30', '99.0', 'banana', '1.0'])(
    'VERSION-UNSUPPORTED: a request of 0.3 with A2A-Version %s is refused before anything is done [VER-SERVER-002]',
    async (version) => {
      await shared.changesNothing(async () => {
        for (const { status, body } of [
          await sends[binding](version),
          await sends[binding](undefined, `?A2A-Version=${version}`),
        ]) {
          expect(status).toBe(binding === 'JSONRPC' ? 200 : 400)
          const error = binding === 'JSONRPC' ? body.error : body
          expect(error).toEqual({
            code: -32009,
            message: expect.stringContaining('send A2A-Version: 0.3'),
            data: { reason: 'VERSION_NOT_SUPPORTED', metadata: { supportedVersions: '0.3' } },
          })
        }
      })
    },
  )
})

test.each(['GetTask', 'SendMessage'])(
  'VERSION-ABSENT: %s, a name of 1.0, wants its version said [VER-SERVER-002]',
  async (method) => {
    await shared.changesNothing(async () => {
      for (const version of [undefined, '0.3']) {
        const { body } = await client().rpc(method, { message: userMessage('complete') }, header(version))
        expect(body.error).toMatchObject({ code: -32009, data: [{ reason: 'VERSION_NOT_SUPPORTED' }] })
        expect(body.error.message).toContain('send A2A-Version: 1.0')
      }
    })
  },
)

describe('an error of 0.3', () => {
  test('over JSON-RPC has a code, a message, and an object for its data', async () => {
    const { status, body } = await client().rpc('tasks/get', { id: 'T' })
    expect(status).toBe(200)
    expect(body).toEqual({
      jsonrpc: '2.0',
      id: 7,
      error: {
        code: -32001,
        message: expect.any(String),
        data: { reason: 'TASK_NOT_FOUND', metadata: { taskId: 'T' } },
      },
    })
  })

  test('over HTTP+JSON is the same object with the HTTP status of its kind', async () => {
    const answers = [
      [await client().rest('GET', '/tasks/T'), 404, -32001],
      [await client().rest('POST', '/message:send', {}), 400, -32602],
      [await client().rest('GET', '/nonsense'), 404, -32601],
      [await client().rest('PUT', '/message:send'), 405, -32600],
      [await client().rest('POST', '/message:send', {}, { 'Content-Type': 'text/plain' }), 415, -32005],
      [await bareText('/v1/message:send', '{'), 400, -32700],
      [await client().rest('GET', '/card'), 400, -32004],
    ] as const
    for (const [{ status, headers, body }, http, code] of answers) {
      expect([status, body.code]).toEqual([http, code])
      expect(headers.get('content-type')).toMatch(/^application\/json\b/)
      expect(body).toEqual({
        code,
        message: expect.any(String),
        data: expect.objectContaining({ reason: expect.any(String) }),
      })
    }
  })

  test.each([
    ['tasks/resubscribe', { id: 'T' }, -32001],
    ['message/stream', {}, -32602],
  ])('comes in the stream of %s, since its clients read nothing else there', async (method, params, code) => {
    const frames = await Array.fromAsync(client().rpcStream(method, params))
    expect(frames).toMatchObject([{ data: { jsonrpc: '2.0', id: 7, error: { code } } }])
  })

  test.each(['tasks/list', 'tasks/foo', 'constructor/x', 'message/Send'])(
    '%s is no method',
    async (method) => {
      const { body } = await client().rpc(method, {})
      expect(body).toMatchObject({ id: 7, error: { code: -32601, data: { reason: 'METHOD_NOT_FOUND' } } })
      const in10 = await client().rpc(method, {}, header('1.0'))
      expect(in10.body).toMatchObject({ error: { code: -32601, data: [{ reason: 'METHOD_NOT_FOUND' }] } })
      const in99 = await client().rpc(method, {}, header('99.0'))
      expect(in99.body).toMatchObject({ error: { code: -32009 } })
    },
  )

  test.each([
    [
      'tasks/pushNotificationConfig/set',
      { taskId: 'T', pushNotificationConfig: { url: 'https://example.com' } },
    ],
    ['tasks/pushNotificationConfig/get', { id: 'T' }],
    ['tasks/pushNotificationConfig/get', { id: 'T', pushNotificationConfigId: 'C' }],
    ['tasks/pushNotificationConfig/list', { id: 'T' }],
    ['tasks/pushNotificationConfig/delete', { id: 'T', pushNotificationConfigId: 'C' }],
  ])('%s of an agent without push notifications is -32003', async (method, params) => {
    const probe = await startProbe({ capabilities: { pushNotifications: false } })
    const { rpc } = talk03(`${probe.url}/a2a`)
    expect((await rpc(method, params)).body.error.code).toBe(-32003)
  })
})

const bareText = (path: string, body: string) =>
  raw(`${shared.probe.url}/a2a${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
  })
