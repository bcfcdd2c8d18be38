import { generateKeyPairSync } from 'node:crypto'
import { verifyAgentCardSignature } from '@a2a-js/sdk'
import { connect } from '@a2a-kit/client'
import { conformance } from '@a2a-kit/conformance'
import type { Agent } from '@a2a-kit/task-core'
import { type AgentCard, replayExtension } from '@a2a-kit/task-core/protocol'
import { decodeProtectedHeader, importJWK, type JWK } from 'jose'
import { describe, expect, test } from 'vitest'
import { bindings, startProbe, userMessage } from './support/probe.ts'

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
    expect(await again({ 'If-None-Match': etag })).toBe(304)
    expect(await again({ 'If-None-Match': `"other", W/${etag}` })).toBe(304)
    expect(await again({ 'If-None-Match': '"other"' })).toBe(200)
    expect(await again({ 'If-Modified-Since': lastModified })).toBe(304)
    expect(await again({ 'If-Modified-Since': 'Thu, 01 Jan 1970 00:00:00 GMT' })).toBe(200)
    expect(await again({ 'If-Modified-Since': 'nonsense' })).toBe(200)
    expect(await again({ 'If-None-Match': '"other"', 'If-Modified-Since': lastModified })).toBe(200)
  })

  test('CARD-URL-REACHABLE: a wildcard address is never in the card, and PUBLIC_URL is, without its slash', async () => {
    const everywhere = await startProbe({ host: '0.0.0.0' })
    const here = (await (await cardAt(`http://127.0.0.1:${everywhere.port}`)).json()) as AgentCard
    expect(here.supportedInterfaces[0]!.url).toBe(`http://localhost:${everywhere.port}/a2a`)
    const proxied = await startProbe({ publicUrl: 'https://agents.example/rev/' })
    const there = (await (await cardAt(`http://127.0.0.1:${proxied.port}`)).json()) as AgentCard
    expect(there.supportedInterfaces[0]!.url).toBe('https://agents.example/rev/a2a')
  })
})

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

  test('the extended card is signed too', async () => {
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

  test.each(bindings)(
    'over %s: an agent without one says so, and one that only declares it says that [CORE-CAP-003] [CARD-EXT-002]',
    async (binding) => {
      const without = await startProbe()
      expect((await without.call(binding, 'GetExtendedAgentCard', {})).error?.reason).toBe(
        'UNSUPPORTED_OPERATION',
      )
      const declared = await startProbe({ capabilities: { extendedAgentCard: true } })
      const { error } = await declared.call(binding, 'GetExtendedAgentCard', {})
      expect(error?.reason).toBe('EXTENDED_AGENT_CARD_NOT_CONFIGURED')
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

describe('extensions', () => {
  const required: Agent = {
    ...conformance,
    extensions: [{ uri: 'urn:test:needed:1', required: true, description: 'Needed.' }],
  }
  const needs = (value: string) => ({ 'A2A-Extensions': value })

  test.each(bindings)(
    'EXTENSIONS-REQUIRED: over %s every operation wants the required one [CORE-CAP-004]',
    async (binding) => {
      const probe = await startProbe({ agent: required })
      for (const [operation, params] of [
        ['SendMessage', { message: userMessage('complete') }],
        ['GetTask', { id: 'x' }],
        ['ListTasks', {}],
      ] as const) {
        const { error } = await probe.call(binding, operation, params)
        expect(error?.reason).toBe('EXTENSION_SUPPORT_REQUIRED')
        expect(error?.message).toContain('urn:test:needed:1')
      }
      const listed = await probe.call(binding, 'ListTasks', {}, needs('urn:other:1,  urn:test:needed:1'))
      expect(listed.result.tasks).toEqual([])
      const message = userMessage('complete')
      const { result } = await probe.call(binding, 'SendMessage', { message }, needs('urn:test:needed:1'))
      expect(result.task.status.state).toBe('TASK_STATE_COMPLETED')
    },
  )

  test('what is active is echoed, and what is not known is passed over [HTTP_JSON-SVC-002]', async () => {
    const probe = await startProbe({ agent: required })
    const headers = {
      'A2A-Version': '1.0',
      'a2a-extensions': `urn:none:1, ${replayExtension},urn:test:needed:1`,
    }
    const { headers: answered } = await fetch(`${probe.url}/a2a/tasks`, { headers })
    expect(answered.get('a2a-extensions')?.split(', ').toSorted()).toEqual(
      [replayExtension, 'urn:test:needed:1'].toSorted(),
    )
  })
})

describe('what the card does not declare is not served', () => {
  test.each(bindings)(
    'CAPABILITY-GATES: over %s streams are refused with a plain error where there are none [CORE-CAP-002]',
    async (binding) => {
      const probe = await startProbe({ capabilities: { streaming: false } })
      for (const [operation, params] of [
        ['SendStreamingMessage', { message: userMessage('complete') }],
        ['SubscribeToTask', { id: 'x' }],
      ] as const) {
        const { error, contentType } = await probe.call(binding, operation, params)
        expect(error?.reason).toBe('UNSUPPORTED_OPERATION')
        expect(contentType).toMatch(binding === 'GRPC' ? /grpc/ : /json/)
      }
      expect((await probe.call(binding, 'ListTasks', {})).result.totalSize).toBe(0)
    },
  )
})
