import { generateKeyPairSync } from 'node:crypto'
import { networkInterfaces } from 'node:os'
import { verifyAgentCardSignature } from '@a2a-js/sdk'
import { connect } from '@a2a-kit/client'
import { conformance } from '@a2a-kit/conformance'
import type { Agent } from '@a2a-kit/task-core'
import type { AgentCard, AgentInterface } from '@a2a-kit/task-core/protocol'
import { decodeProtectedHeader, importJWK, type JWK } from 'jose'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { bindings, startProbe, userMessage } from './support/probe.ts'
import { expectRefusal } from './support/refusals.ts'
import { talk03 } from './support/v03.ts'

const pem = (type: 'ec' | 'ed25519'): string => {
  const { privateKey } =
    type === 'ec' ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : generateKeyPairSync('ed25519')
  return privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
}

const cardAt = (url: string, headers: Record<string, string> = { 'A2A-Version': '1.0' }) =>
  fetch(`${url}/.well-known/agent-card.json`, { headers })

describe('the card is found and cached', () => {
  test('at the well-known address, as a JSON object that names every interface by its whole address [CARD-DISC-001] [CARD-PROTO-001] [CARD-PROTO-002]', async () => {
    const probe = await startProbe()
    const response = await cardAt(probe.url, {})
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    const card = (await response.json()) as AgentCard
    expect(card.supportedInterfaces.map(({ protocolBinding }) => protocolBinding)).toContain('JSONRPC')
    for (const { url, protocolVersion } of card.supportedInterfaces.slice(0, 2)) {
      expect(url).toBe(`${probe.url}/a2a`)
      expect(protocolVersion).toBe('1.0')
    }
  })

  test('has every field that the specification requires [CARD-STRUCT-001]', async () => {
    const probe = await startProbe()
    const card = (await (await cardAt(probe.url)).json()) as AgentCard
    for (const field of ['name', 'description', 'version'] as const) expect(card[field]).not.toBe('')
    for (const field of [
      'supportedInterfaces',
      'defaultInputModes',
      'defaultOutputModes',
      'skills',
    ] as const) {
      expect(card[field].length).toBeGreaterThan(0)
    }
    for (const { id, name, description, tags } of card.skills) {
      expect([id, name, description, tags.length > 0].every(Boolean)).toBe(true)
    }
  })

  test('with Cache-Control, ETag and Last-Modified, and 304 for who has it [CARD-CACHE-001] [CARD-CACHE-002] [CARD-CACHE-003]', async () => {
    const probe = await startProbe()
    const first = await cardAt(probe.url)
    expect(first.headers.get('cache-control')).toMatch(/max-age=\d+/)
    expect(first.headers.get('vary')).toMatch(/A2A-Version/i)
    const etag = first.headers.get('etag')!
    const lastModified = first.headers.get('last-modified')!
    const again = async (headers: Record<string, string>) => {
      const { status } = await cardAt(probe.url, { 'A2A-Version': '1.0', ...headers })
      return status
    }
    expect(etag).toMatch(/^"[^"]+"$/)
    expect(etag, 'the tag of another text').not.toBe((await cardAt(probe.url, {})).headers.get('etag'))
    expect(await again({ 'If-None-Match': etag })).toBe(304)
    expect(await again({ 'If-None-Match': `"other", W/${etag}` })).toBe(304)
    expect(await again({ 'If-None-Match': '"other"' })).toBe(200)
    expect(await again({ 'If-Modified-Since': lastModified })).toBe(304)
    expect(await again({ 'If-Modified-Since': 'Thu, 01 Jan 1970 00:00:00 GMT' })).toBe(200)
    expect(await again({ 'If-Modified-Since': 'nonsense' })).toBe(200)
    expect(await again({ 'If-None-Match': '"other"', 'If-Modified-Since': lastModified })).toBe(200)
  })

  test('CARD-URL-REACHABLE: a wildcard address is never in the card, and PUBLIC_URL is, without its slash', async () => {
    const everywhere = await startProbe({ host: '0.0.0.0', operators: { anyoneMayApprove: true } })
    const here = (await (await cardAt(`http://127.0.0.1:${everywhere.port}`)).json()) as AgentCard
    expect(here.supportedInterfaces[0]!.url).toBe(`http://localhost:${everywhere.port}/a2a`)
    const proxied = await startProbe({ publicUrl: 'https://agents.example/rev/' })
    const there = (await (await cardAt(`http://127.0.0.1:${proxied.port}`)).json()) as AgentCard
    expect(there.supportedInterfaces[0]!.url).toBe('https://agents.example/rev/a2a')
  })
})

const hosts = [undefined, '127.0.0.1', '0.0.0.0', ...(hasIPv6() ? ['::'] : [])]
test.each(hosts)('CARD-URL-REACHABLE: every address on the card of an agent at %s answers', async (host) => {
  const probe = await startProbe(host === undefined ? {} : { host, operators: { anyoneMayApprove: true } })
  const url = `http://127.0.0.1:${probe.port}`
  const { supportedInterfaces } = (await (await cardAt(url)).json()) as AgentCard
  const [newer, older] = [true, false].map((isNewer) =>
    supportedInterfaces.filter(({ protocolVersion }) => (protocolVersion === '1.0') === isNewer),
  ) as [AgentInterface[], AgentInterface[]]
  expect(newer.map(({ protocolBinding }) => protocolBinding)).toEqual(bindings)
  for (const { protocolBinding } of newer) {
    const client = await connect(url, { bindings: [protocolBinding] })
    expect((await client.listTasks()).totalSize).toBe(0)
  }
  expect(older.map(({ protocolBinding }) => protocolBinding)).toEqual(['JSONRPC', 'HTTP+JSON'])
  const [rpc, rest] = older.map((one) => talk03(one.url))
  expect((await rpc!.rpc('tasks/get', { id: 'none' })).body.error.code).toBe(-32001)
  expect((await rest!.rest('GET', '/tasks/none')).status).toBe(404)
  for (const one of supportedInterfaces) expect(one.url).not.toMatch(/0\.0\.0\.0|\[|::/)
})

function hasIPv6(): boolean {
  return Object.values(networkInterfaces()).some((all) => all!.some(({ family }) => family === 'IPv6'))
}

describe('the card is signed', () => {
  /** Keys by the JWKS that the signature names. */
  const keyFrom = async (kid: string, jku?: string): Promise<JWK> => {
    const { keys } = (await (await fetch(jku!)).json()) as { keys: JWK[] }
    return keys.find((key) => key.kid === kid)!
  }

  test.each(['ec', 'ed25519'] as const)(
    'CARD-SIGNATURE: an %s key signs what our client and the official SDK verify from the served bytes [CARD-SIGN-003]',
    async (type) => {
      const probe = await startProbe({ signingKey: pem(type) })
      const card = (await (await cardAt(probe.url)).json()) as AgentCard
      const [signature] = card.signatures!
      expect(decodeProtectedHeader(signature!)).toEqual({
        alg: type === 'ec' ? 'ES256' : 'EdDSA',
        typ: 'JOSE',
        kid: expect.any(String),
        jku: `${probe.url}/.well-known/jwks.json`,
      })
      await verifyAgentCardSignature(keyFrom)(card as never)
      const { signedBy } = await connect(probe.url, { trust: {} })
      expect(signedBy).toMatchObject({ jku: `${probe.url}/.well-known/jwks.json` })
    },
  )

  test('CARD-SIGNATURE: the signature is over the address that the card is given at the start', async () => {
    const publicUrl = 'https://agents.example/rev'
    const { port } = await startProbe({ signingKey: pem('ec'), publicUrl })
    const here = `http://127.0.0.1:${port}`
    const card = (await (await cardAt(here)).json()) as AgentCard
    const keyHere = (kid: string, jku?: string) => {
      expect(jku).toBe(`${publicUrl}/.well-known/jwks.json`)
      return keyFrom(kid, `${here}/.well-known/jwks.json`)
    }
    await verifyAgentCardSignature(keyHere)(card as never)
    const [first, ...others] = card.supportedInterfaces
    const moved = { ...card, supportedInterfaces: [{ ...first!, url: `${here}/a2a` }, ...others] }
    vi.spyOn(console, 'debug').mockImplementation(() => {}) // the SDK prints what it does not verify
    onTestFinished(() => void vi.restoreAllMocks())
    await expect(verifyAgentCardSignature(keyHere)(moved as never)).rejects.toThrow()
  })

  test('CARD-SIGNATURE: a card with defaults, numbers and letters beyond ASCII is verified by others', async () => {
    const extension = {
      uri: 'urn:test:odd:1',
      description: 'Größe €',
      params: { ö: 'é', n: [0.1, 1e21, -0] },
    }
    const probe = await startProbe({
      agent: { ...conformance, extensions: [extension] },
      capabilities: { streaming: false },
      signingKey: pem('ec'),
    })
    const card = (await (await cardAt(probe.url)).json()) as AgentCard
    expect(card.capabilities).toMatchObject({ streaming: false })
    await verifyAgentCardSignature(keyFrom)(card as never)
    expect((await connect(probe.url, { trust: {} })).signedBy).toBeDefined()
  })

  test.each([5, ''])('the id %j in a JWK is none: the key has its thumbprint', async (kid) => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const probe = await startProbe({
      signingKey: JSON.stringify({ ...privateKey.export({ format: 'jwk' }), kid }),
    })
    const { signedBy } = await connect(probe.url, { trust: {} })
    expect(signedBy!.kid).toMatch(/^[\w-]{43}$/)
  })

  test('once, and not for each request', async () => {
    const probe = await startProbe({ signingKey: pem('ec') })
    expect(await (await cardAt(probe.url)).text()).toBe(await (await cardAt(probe.url)).text())
  })

  test('the served keys hold no private part', async () => {
    const probe = await startProbe({ signingKey: pem('ec') })
    const text = await (await fetch(`${probe.url}/.well-known/jwks.json`)).text()
    expect(JSON.parse(text).keys[0]).toMatchObject({ kty: 'EC', crv: 'P-256', use: 'sig', alg: 'ES256' })
    expect(text).not.toMatch(/"d":/)
    await importJWK(JSON.parse(text).keys[0])
  })

  test('CARD-SIGNATURE: the extended card is signed too', async () => {
    const probe = await startProbe({
      agent: withExtended,
      signingKey: pem('ec'),
      callerTokens: { alice: 'a-token-of-alice-1' },
    })
    const { result } = await probe.call('JSONRPC', 'GetExtendedAgentCard', {}, alice)
    await verifyAgentCardSignature(keyFrom)(result)
  })

  test.each([
    ['a card with an empty field', pem('ec'), { description: '' }, /card\.description is empty/],
    ['a key of another kind', rsa(), {}, /P-256 \(ES256\) or Ed25519 \(EdDSA\), and is of rsa/],
    ['what is no key', 'not a key', {}, /cannot be read: it must be a private key/],
  ])('%s is refused at the start', async (_, signingKey, change, message) => {
    const agent = { ...conformance, card: { ...conformance.card, ...change } }
    await expect(startProbe({ agent, signingKey })).rejects.toThrow(message)
  })

  function rsa(): string {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    return privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
  }
})

const withExtended: Agent = {
  ...conformance,
  extended: {
    description: 'For those who are known.',
    skills: [{ id: 'more', name: 'More', description: 'For those who are known.', tags: ['extended'] }],
  },
}
const alice = { Authorization: 'Bearer a-token-of-alice-1' }

describe('the extended card is for those who show who they are', () => {
  test.each(bindings)(
    'over %s: the declared scheme is asked for, and the card has more [CARD-EXT-001]',
    async (binding) => {
      const probe = await startProbe({ agent: withExtended, callerTokens: { alice: 'a-token-of-alice-1' } })
      const card = (await (await cardAt(probe.url)).json()) as AgentCard
      expect(card.capabilities.extendedAgentCard).toBe(true)
      expect(card.securitySchemes).toEqual({ bearer: { httpAuthSecurityScheme: { scheme: 'Bearer' } } })
      const refused = await probe.call(binding, 'GetExtendedAgentCard', {})
      expect(refused.error?.reason).toBe('UNAUTHENTICATED')
      const wrong = await probe.call(
        binding,
        'GetExtendedAgentCard',
        {},
        { Authorization: 'Bearer a-token-of-alice-2' },
      )
      expect(wrong.error?.reason).toBe('UNAUTHENTICATED')
      const { result } = await probe.call(binding, 'GetExtendedAgentCard', {}, alice)
      expect(result.skills.map(({ id }: { id: string }) => id)).toEqual(['script', 'more'])
      expect(result.supportedInterfaces).toEqual(card.supportedInterfaces)
    },
  )

  test('over HTTP it is kept by its caller alone', async () => {
    const probe = await startProbe({
      agent: withExtended,
      callerTokens: { alice: 'a-token-of-alice-1' },
    })
    const headers = { 'A2A-Version': '1.0', ...alice }
    const answered = await fetch(`${probe.url}/a2a/extendedAgentCard`, { headers })
    expect(answered.headers.get('cache-control')).toBe('private, max-age=60')
    const refused = await fetch(`${probe.url}/a2a/extendedAgentCard`, { headers: { 'A2A-Version': '1.0' } })
    expect(refused.headers.get('cache-control')).toBeNull()
  })

  test.each(bindings)(
    'CAPABILITY-GATES: over %s an agent without one says so, and one that only declares it says that [CORE-CAP-003] [CARD-EXT-002]',
    async (binding) => {
      const without = await startProbe()
      const refused = await without.call(binding, 'GetExtendedAgentCard', {})
      expectRefusal(refused, binding, 'UNSUPPORTED_OPERATION')
      const declared = await startProbe({ capabilities: { extendedAgentCard: true } })
      const missing = await declared.call(binding, 'GetExtendedAgentCard', {})
      expectRefusal(missing, binding, 'EXTENDED_AGENT_CARD_NOT_CONFIGURED')
    },
  )
})

describe('callers with tokens', () => {
  test.each(bindings)(
    'over %s: every operation wants one, and a task is seen by its owner alone [AUTH-SERVER-002] [AUTH-SCOPE-001] [AUTH-SCOPE-002] [AUTH-SCOPE-003]',
    async (binding) => {
      const callerTokens = { alice: 'a-token-of-alice-1', bob: 'a-token-of-bob-1234' }
      const bob = { Authorization: 'Bearer a-token-of-bob-1234' }
      const probe = await startProbe({ callerTokens })
      const { result } = await probe.call(binding, 'SendMessage', { message: userMessage('ask Who?') }, alice)
      const { id } = result.task
      for (const [operation, params] of [
        ['GetTask', { id }],
        ['CancelTask', { id }],
        ['SubscribeToTask', { id }],
        ['SendMessage', { message: userMessage('Bob', { taskId: id }) }],
      ] as const) {
        expect((await probe.call(binding, operation, params)).error?.reason).toBe('UNAUTHENTICATED')
        const theirs = await probe.call(binding, operation, params, bob)
        expect(theirs.error?.reason).toBe('TASK_NOT_FOUND')
      }
      expect((await probe.call(binding, 'ListTasks', {}, bob)).result.tasks).toEqual([])
      expect((await probe.call(binding, 'ListTasks', {}, alice)).result.totalSize).toBe(1)
    },
  )
})
