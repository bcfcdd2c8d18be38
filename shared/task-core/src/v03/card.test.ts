// The card for 0.3 clients, in JSON, in ProtoJSON, and together with the one of 1.0.
import { expect, test } from 'vitest'
import type { AgentCard, SecurityScheme } from '../protocol/index.ts'
import { card03, protoCard03, withFieldsOf03, withInterfacesOf03 } from './card.ts'

const url = 'https://agent.example/a2a'
const interfaces = ['JSONRPC', 'HTTP+JSON', 'GRPC'].map((protocolBinding) => ({
  url,
  protocolBinding,
  protocolVersion: '1.0',
}))
const requirements = [{ schemes: { bearer: { list: ['read'] }, key: {} } }]
const card: AgentCard = {
  name: 'agent',
  description: 'Does things.',
  supportedInterfaces: withInterfacesOf03(interfaces),
  version: '1.2.3',
  iconUrl: 'https://agent.example/icon',
  capabilities: {
    streaming: true,
    pushNotifications: false,
    extendedAgentCard: true,
    extensions: [{ uri: 'urn:x' }],
  },
  securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: 'Bearer' } } },
  securityRequirements: requirements,
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 's', name: 'S', description: 'd', tags: ['t'], securityRequirements: requirements }],
  signatures: [{ protected: 'p', signature: 's' }],
}
const skill = { id: 's', name: 'S', description: 'd', tags: ['t'] }
const addresses = {
  protocolVersion: '0.3.0',
  url,
  preferredTransport: 'JSONRPC',
  additionalInterfaces: [
    { url, transport: 'JSONRPC' },
    { url, transport: 'HTTP+JSON' },
  ],
  supportsAuthenticatedExtendedCard: true,
}
const common = {
  name: 'agent',
  description: 'Does things.',
  version: '1.2.3',
  capabilities: { streaming: true, pushNotifications: false, extensions: [{ uri: 'urn:x' }] },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
}
const security = [{ bearer: [], key: [] }]

test('the interfaces of 1.0 come first, and those of 0.3 are declared for the bindings that serve it', () => {
  expect(card.supportedInterfaces).toEqual([
    ...interfaces,
    { url, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
    { url, protocolBinding: 'HTTP+JSON', protocolVersion: '0.3' },
  ])
})

test('the pure card of 0.3 has its fields and no others', () => {
  expect(card03(card)).toEqual({
    ...addresses,
    ...common,
    iconUrl: 'https://agent.example/icon',
    securitySchemes: { bearer: { type: 'http', scheme: 'Bearer' } },
    security,
    skills: [{ ...skill, security }],
  })
})

test('the card in ProtoJSON has the security of its proto', () => {
  expect(protoCard03(card)).toEqual({
    ...addresses,
    ...common,
    securitySchemes: card.securitySchemes,
    security: requirements,
    skills: [{ ...skill, security: requirements }],
  })
})

test('the card for both has every field of 1.0 unchanged, but that each scheme is said in both ways', () => {
  const both = withFieldsOf03(card)
  const { securitySchemes: _, skills: __, ...rest } = card
  expect(both).toMatchObject({ ...rest, ...addresses, security })
  expect(both).toMatchObject({
    securitySchemes: {
      bearer: { type: 'http', scheme: 'Bearer', httpAuthSecurityScheme: { scheme: 'Bearer' } },
    },
    skills: [{ ...skill, securityRequirements: requirements, security }],
  })
})

test.each<[SecurityScheme, object]>([
  [
    { apiKeySecurityScheme: { location: 'header', name: 'X-Key', description: 'd' } },
    { type: 'apiKey', in: 'header', name: 'X-Key', description: 'd' },
  ],
  [
    { oauth2SecurityScheme: { flows: { implicit: { scopes: {} } } } },
    { type: 'oauth2', flows: { implicit: { scopes: {} } } },
  ],
  [
    { openIdConnectSecurityScheme: { openIdConnectUrl: 'https://id.example' } },
    { type: 'openIdConnect', openIdConnectUrl: 'https://id.example' },
  ],
  [{ mtlsSecurityScheme: { description: 'd' } }, { type: 'mutualTLS', description: 'd' }],
])('the scheme %j is one of OpenAPI', (scheme, expected) => {
  expect(card03({ ...card, securitySchemes: { one: scheme } })).toMatchObject({
    securitySchemes: { one: expected },
  })
})
