// The agent card by version: pure for the version that is asked for, and readable for both where none is (§8.2, §3.6).
import { ClientFactory } from '@a2a-js/sdk/client'
import { isLegacyAgentCard } from '@a2a-js/sdk/compat/v0_3/client'
import { expect, test } from 'vitest'
import { testAgent } from './support/agent.ts'
import { startProbe } from './support/probe.ts'
import { raw } from './support/raw.ts'
import { talk03 } from './support/v03.ts'

const secret = 'a-token-that-only-the-test-knows'
const agent = testAgent(async () => {}, {
  extended: { skills: [{ id: 'more', name: 'More', description: 'For those who are known.', tags: [] }] },
})
const start = async () => {
  const probe = await startProbe({ agent, callerTokens: { tester: secret } })
  const card = async (headers = {}, search = '') =>
    (await raw(`${probe.url}/.well-known/agent-card.json${search}`, { headers })).body
  return { probe, card }
}

test('the card of 0.3 is where its clients ask for it by header or by query', async () => {
  const { probe, card } = await start()
  const old = await card({ 'A2A-Version': '0.3' })
  const url = `${probe.url}/a2a`
  expect(old).toMatchObject({
    protocolVersion: '0.3.0',
    url,
    preferredTransport: 'JSONRPC',
    additionalInterfaces: [
      { url, transport: 'JSONRPC' },
      { url, transport: 'HTTP+JSON' },
    ],
    supportsAuthenticatedExtendedCard: true,
    securitySchemes: { bearer: { type: 'http', scheme: 'Bearer' } },
    security: [{ bearer: [] }],
  })
  expect(old).not.toHaveProperty('supportedInterfaces')
  expect(await card({}, '?A2A-Version=0.3')).toEqual(old)
  expect(isLegacyAgentCard(old)).toBe(true)
})

test('the card of 1.0 has nothing of 0.3, but that its interfaces are declared after those of 1.0', async () => {
  const { probe, card } = await start()
  const url = `${probe.url}/a2a`
  const pure = await card({ 'A2A-Version': '1.0' })
  expect(pure.supportedInterfaces).toEqual([
    { url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    { url, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
    { url: `localhost:${probe.grpcPort}`, protocolBinding: 'GRPC', protocolVersion: '1.0' },
    { url, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
    { url, protocolBinding: 'HTTP+JSON', protocolVersion: '0.3' },
  ])
  for (const field of ['url', 'protocolVersion', 'preferredTransport', 'security']) {
    expect(pure).not.toHaveProperty(field)
  }
})

test('without a version the card is that of 1.0 with what 0.3 clients need, and caches tell them apart', async () => {
  const { probe, card } = await start()
  const both = await card()
  const [pure, old] = [await card({ 'A2A-Version': '1.0' }), await card({ 'A2A-Version': '0.3' })]
  expect(both).toMatchObject(pure)
  expect(both).toMatchObject({ ...old, capabilities: both.capabilities })
  expect(isLegacyAgentCard(both)).toBe(false)
  expect((await new ClientFactory().createFromUrl(probe.url)).protocolVersion).toBe('1.0')
  const { headers } = await raw(`${probe.url}/.well-known/agent-card.json`)
  expect(headers.get('vary')).toMatch(/a2a-version/i)
})

test('the extended card is one of 0.3 for 0.3 clients, and only for those who show who they are', async () => {
  const { probe } = await start()
  const { rpc, rest } = talk03(`${probe.url}/a2a`)
  const known = { Authorization: `Bearer ${secret}` }
  const { body } = await rpc('agent/getAuthenticatedExtendedCard', undefined, known)
  expect(body.result).toMatchObject({ protocolVersion: '0.3.0', security: [{ bearer: [] }] })
  expect(body.result.skills.map(({ id }: { id: string }) => id)).toEqual(['test', 'more'])
  const overHttp = await rest('GET', '/card', undefined, known)
  expect(overHttp.body).toMatchObject({
    protocolVersion: '0.3.0',
    securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: 'Bearer' } } },
    security: [{ schemes: { bearer: { list: ['caller'] } } }],
  })
  for (const refused of [await rpc('agent/getAuthenticatedExtendedCard'), await rest('GET', '/card')]) {
    expect(refused.status).toBe(401)
    expect(refused.headers.get('www-authenticate')).toBe('Bearer')
  }
})
