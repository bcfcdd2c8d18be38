import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { cardUrl } from './card.ts'
import { type ConnectOptions, connect } from './connect.ts'
import { CardError, GaveUpError } from './errors.ts'
import { type Binding, bothBindings, fakeAgent } from './testing/fake-agent.ts'
import { fakeGrpcAgent } from './testing/fake-grpc-agent.ts'
import { quickWorld, taskIn } from './testing/fixtures.ts'

const quick = (): ConnectOptions => ({ world: quickWorld() })

/** A server that gives the same answer to everything; `seen` holds the requests. */
async function siteWith(status: number, mediaType: string, text: string, headers = {}) {
  const seen: { url: string | undefined; version: string | string[] | undefined }[] = []
  const server = createServer((request, response) => {
    seen.push({ url: request.url, version: request.headers['a2a-version'] })
    response.writeHead(status, { 'Content-Type': mediaType, ...headers }).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen }
}

const cardOf = (...supportedInterfaces: unknown[]) => JSON.stringify({ name: 'x', supportedInterfaces })
const rpc = { url: 'http://127.0.0.1:1/rpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }

describe('CARD-VALIDATION: refused with a clear error', () => {
  test.each([
    ['an empty object', '{}', /needs a name and supportedInterfaces/],
    ['a list', '[]', /not a JSON object/],
    ['JSON that is cut', '{"name":', /not valid JSON.*\{"name":/],
    ['a card of 0.3', '{"name":"x","url":"http://h/","protocolVersion":"0.3.0"}', /is of A2A 0\.3/],
    ['no interface', cardOf(), /x offers no interface; this client speaks JSONRPC and HTTP\+JSON/],
    ['only an unknown binding', cardOf({ ...rpc, protocolBinding: 'SOAP' }), /x offers SOAP 1\.0 at http/],
    ['only version 0.3', cardOf({ ...rpc, protocolVersion: '0.3' }), /x offers JSONRPC 0\.3/],
    ['an empty address', cardOf({ ...rpc, url: '' }), /x offers JSONRPC 1\.0/],
    ['nonsense for interfaces', cardOf(null, 7, {}), /x offers no interface/],
  ])('%s', async (_, text, message) => {
    const { url } = await siteWith(200, 'application/json', text)
    const error = await connect(url, quick()).catch((reason) => reason)
    expect(error).toBeInstanceOf(CardError)
    expect(error.message).toMatch(message)
  })

  test('a binding that was asked for, is on the card, and is none of this client', async () => {
    const { url } = await siteWith(200, 'application/json', cardOf({ ...rpc, protocolBinding: 'SOAP' }))
    const bindings = ['SOAP', 'JSONRPC']
    await expect(connect(url, { ...quick(), bindings })).rejects.toThrow(
      /x offers SOAP 1\.0 at .*; this client speaks JSONRPC of A2A 1\.0/,
    )
  })

  test('a page of HTML, by its first words', async () => {
    const { url } = await siteWith(200, 'text/html; charset=utf-8', '<!doctype html>\n<h1>Hi</h1>')
    await expect(connect(url, quick())).rejects.toThrow(
      `No agent card at ${url}/.well-known/agent-card.json. ${new URL(url).host} answered HTTP 200 with text/html, ` +
        'not JSON. It begins: <!doctype html> <h1>Hi</h1>',
    )
  })

  test('a page that is not there, at once', async () => {
    const { url, seen } = await siteWith(404, 'application/json', '{"message":"no"}')
    await expect(connect(url, quick())).rejects.toThrow(/No agent card at .* HTTP 404/)
    expect(seen).toHaveLength(1)
  })

  test('a redirect, which is not followed and whose secrets are not shown', async () => {
    const location = 'http://user:pass@elsewhere.example/card.json?key=1'
    const { url } = await siteWith(308, 'text/plain', '', { Location: location })
    await expect(connect(url, quick())).rejects.toThrow(
      'It redirects to http://elsewhere.example/card.json, which is not followed.',
    )
  })

  test.each(['localhost:41243', 'reviewer', 'ftp://h/', ''])('the address "%s"', async (address) => {
    await expect(connect(address)).rejects.toThrow(/is no address of an agent; give one such as http/)
  })
})

describe('CARD-VALIDATION: the first interface that the client speaks', () => {
  const speaking = async (binding: Binding, ...interfaces: object[]) => {
    const agent = await fakeAgent(({ result }) => result(taskIn('TASK_STATE_WORKING')), { binding })
    const at = (one: object) => ({ ...rpc, url: `${agent.url}/rpc`, ...one })
    const { url } = await siteWith(200, 'application/json', cardOf(...interfaces.map(at)))
    await (await connect(url, quick())).getTask('T')
    return agent.exchanges[0]!
  }

  test('is taken past an unknown one', async () => {
    expect((await speaking('JSONRPC', { protocolBinding: 'SOAP' }, {})).method).toBe('GetTask')
  })

  test('is taken past one of gRPC whose address is none', async () => {
    const nowhere = { protocolBinding: 'GRPC', url: 'agents.example' }
    expect((await speaking('JSONRPC', nowhere, {})).method).toBe('GetTask')
  })

  test('is taken past version 0.3, and a patch digit does not matter [VER-CLIENT-002]', async () => {
    const old = { protocolVersion: '0.3', url: 'http://127.0.0.1:1/' }
    expect((await speaking('JSONRPC', old, { protocolVersion: '1.0.1' })).url).toBe('/rpc')
  })

  test('is read past fields that are not known', async () => {
    expect((await speaking('JSONRPC', { later: { a: 1 } })).url).toBe('/rpc')
  })

  test('is the first of two', async () => {
    expect((await speaking('HTTP+JSON', { protocolBinding: 'HTTP+JSON' }, {})).url).toBe('/rpc/tasks/T')
  })
})

test.each(bothBindings)(
  'CARD-VALIDATION: %s sends the tenant of the interface in every request',
  async (binding) => {
    const agent = await fakeAgent(({ result }) => result(taskIn('TASK_STATE_WORKING')), {
      binding,
      tenant: 'ac/me',
    })
    const client = await connect(agent.url, quick())
    await client.getTask('T')
    await client.cancelTask('T')
    const [get, cancel] = agent.exchanges
    if (binding === 'JSONRPC') {
      expect(get?.params).toEqual({ id: 'T', tenant: 'ac/me' })
    } else {
      expect(get?.url).toBe('/a2a/ac%2Fme/tasks/T')
      expect(cancel?.url).toBe('/a2a/ac%2Fme/tasks/T:cancel')
    }
    expect(cancel?.params.tenant).toBe('ac/me')
  },
)

test('CARD-VALIDATION: gRPC sends the tenant of the interface in every request', async () => {
  const task = taskIn('TASK_STATE_WORKING')
  const agent = await fakeGrpcAgent(({ result }) => result(task))
  const one = { url: agent.target, protocolBinding: 'GRPC', protocolVersion: '1.0', tenant: 'ac/me' }
  const { url } = await siteWith(
    200,
    'application/json',
    cardOf({ ...rpc, protocolBinding: 'SOAP' }, one, rpc),
  )
  const client = await connect(url, quick())
  await client.getTask('T')
  await client.cancelTask('T')
  expect(agent.exchanges.map(({ method, params }) => [method, params])).toEqual([
    ['GetTask', { id: 'T', tenant: 'ac/me' }],
    ['CancelTask', { id: 'T', tenant: 'ac/me' }],
  ])
})

test('VERSION-ABSENT: the card is asked for with A2A-Version: 1.0, below the base URL or at its own [VER-CLIENT-001]', async () => {
  const site = await siteWith(200, 'application/json', cardOf(rpc))
  const client = await connect(`${site.url}/team/`, quick())
  await connect(`${site.url}/cards/x.json?key=1`, quick())
  expect(site.seen).toEqual([
    { url: '/team/.well-known/agent-card.json', version: '1.0' },
    { url: '/cards/x.json?key=1', version: '1.0' },
  ])
  expect(client.name).toBe('x')
})

test('the address of a card keeps what the caller gave, and adds the well-known path to a base', () => {
  expect(cardUrl('http://h:1')).toBe('http://h:1/.well-known/agent-card.json')
  expect(cardUrl('https://h/a/b/')).toBe('https://h/a/b/.well-known/agent-card.json')
  expect(cardUrl('https://h/a/card.json')).toBe('https://h/a/card.json')
})

test('an agent that cannot be reached is given up with its host, the tries and what to do', async () => {
  const { url, close } = await fakeAgent(() => {})
  await close()
  const secret = url.replace('//', '//user:secret@')
  const error = await connect(secret, { ...quick(), retry: { attempts: 3 } }).catch((reason) => reason)
  expect(error).toBeInstanceOf(GaveUpError)
  expect(error.message).toBe(
    `Gave up on ${new URL(url).host} after 3 tries in 0.6 s. No answer from ${new URL(url).host}: ` +
      'nothing listens there; start the agent, or check the address (ECONNREFUSED).',
  )
})

test('a card that is away for a moment is asked for again', async () => {
  const { url, seen } = await siteWith(503, 'text/plain', 'starting', { 'Retry-After': '7' })
  const world = quickWorld()
  await expect(connect(url, { world, retry: { attempts: 3 } })).rejects.toThrow(/after 3 tries/)
  expect(seen).toHaveLength(3)
  expect(world.pauses).toEqual([7000, 7000])
})
