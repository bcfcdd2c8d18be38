// The agent card for 0.3 clients (§5.5 of 0.3), made from the one of 1.0.
import type {
  AgentCapabilities,
  AgentCard,
  AgentInterface,
  AgentSkill,
  SecurityRequirement,
  SecurityScheme,
} from '../protocol/index.ts'
import { type Fields, present } from './objects.ts'

const isOf03 = ({ protocolVersion }: AgentInterface): boolean => /^0\.3(\.\d+)?$/.test(protocolVersion)

/** The interfaces, with those that 0.3 clients use after them: the same addresses, in the bindings that are served to them. */
export const withInterfacesOf03 = (interfaces: AgentInterface[]): AgentInterface[] => [
  ...interfaces,
  ...interfaces
    .filter(({ protocolBinding }) => protocolBinding === 'JSONRPC' || protocolBinding === 'HTTP+JSON')
    .map((one) => ({ ...one, protocolVersion: '0.3' })),
]

/** The card of 0.3, as JSON-RPC and the well-known address give it. It is not signed: the signatures are over the card of 1.0. */
export function card03(card: AgentCard): object {
  const { securitySchemes } = card
  return {
    ...protoCard03(card),
    ...present({ iconUrl: card.iconUrl }),
    ...(securitySchemes && { securitySchemes: mapValues(securitySchemes, openApiScheme) }),
    ...securityOf(card, securitySchemes),
    skills: card.skills.map((skill) => ({
      ...withoutSecurity(skill),
      ...securityOf(skill, securitySchemes),
    })),
  }
}

/** The card of 0.3 in ProtoJSON, as HTTP+JSON gives the extended one. */
export function protoCard03(card: AgentCard): object {
  const { name, description, version, provider, documentationUrl, securitySchemes } = card
  const { defaultInputModes, defaultOutputModes, securityRequirements: security } = card
  return present({
    ...addresses(card),
    name,
    description,
    version,
    provider,
    documentationUrl,
    capabilities: capabilities03(card.capabilities),
    securitySchemes,
    security,
    defaultInputModes,
    defaultOutputModes,
    skills: card.skills.map((skill) => ({
      ...withoutSecurity(skill),
      ...(skill.securityRequirements && { security: skill.securityRequirements }),
    })),
  })
}

/** The card of 1.0 with all that 0.3 clients need besides; no field of 1.0 is changed, and each scheme is said in both ways. */
export function withFieldsOf03(card: AgentCard): object {
  const { securitySchemes } = card
  return {
    ...card,
    ...addresses(card),
    ...(securitySchemes && {
      securitySchemes: mapValues(securitySchemes, (one) => ({ ...one, ...openApiScheme(one) })),
    }),
    ...securityOf(card, securitySchemes),
    skills: card.skills.map((skill) => ({ ...skill, ...securityOf(skill, securitySchemes) })),
  }
}

function addresses({ supportedInterfaces, capabilities }: AgentCard): Fields {
  const interfaces = supportedInterfaces.filter(isOf03)
  const [first] = interfaces
  return {
    protocolVersion: '0.3.0',
    url: first?.url ?? '',
    preferredTransport: first?.protocolBinding ?? 'JSONRPC',
    additionalInterfaces: interfaces.map(({ url, protocolBinding }) => ({ url, transport: protocolBinding })),
    supportsAuthenticatedExtendedCard: capabilities.extendedAgentCard ?? false,
  }
}

const capabilities03 = ({ extendedAgentCard: _, ...capabilities }: AgentCapabilities): object => capabilities

const withoutSecurity = ({ securityRequirements: _, ...skill }: AgentSkill): object => skill

function securityOf(
  { securityRequirements }: { securityRequirements?: SecurityRequirement[] },
  known: AgentCard['securitySchemes'] = {},
): object {
  if (!securityRequirements) return {}
  // OpenAPI 3.0 knows scopes for OAuth and OpenID Connect alone.
  const scoped = (name: string) =>
    known[name]?.oauth2SecurityScheme ?? known[name]?.openIdConnectSecurityScheme
  const security = securityRequirements.map(({ schemes }) =>
    Object.fromEntries(
      Object.entries(schemes).map(([name, { list = [] }]) => [name, scoped(name) ? list : []]),
    ),
  )
  return { security }
}

/** A scheme as OpenAPI has it. */
function openApiScheme(scheme: SecurityScheme): object {
  const { apiKeySecurityScheme: key, httpAuthSecurityScheme: http, oauth2SecurityScheme: oauth2 } = scheme
  if (key)
    return { type: 'apiKey', ...present({ description: key.description }), in: key.location, name: key.name }
  if (http) return { type: 'http', ...http }
  if (oauth2) return { type: 'oauth2', ...oauth2 }
  if (scheme.openIdConnectSecurityScheme)
    return { type: 'openIdConnect', ...scheme.openIdConnectSecurityScheme }
  return { type: 'mutualTLS', ...scheme.mtlsSecurityScheme }
}

const mapValues = <T, U>(record: { [name: string]: T }, change: (value: T) => U): { [name: string]: U } =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]))
