// The form of an agent card that is signed: field presence as in the proto, then JCS (§8.4.1, RFC 8785).
import canonicalize from 'canonicalize'
import type { AgentCard } from './card-types.ts'

/** How the fields of one message of the proto are treated. */
interface Shape {
  /** Fields without presence (neither REQUIRED nor `optional`): with their default value they are left out. */
  plain?: readonly string[]
  /** Fields that are messages, alone or in a list. */
  messages?: { readonly [field: string]: Shape }
  /** Maps to messages. */
  maps?: { readonly [field: string]: Shape }
}

const requirement: Shape = { plain: ['schemes'], maps: { schemes: { plain: ['list'] } } }
const described: Shape = { plain: ['description'] }
const flow: Shape = { plain: ['refreshUrl', 'pkceRequired'] }
const oldFlow: Shape = { plain: ['authorizationUrl', 'tokenUrl', 'refreshUrl', 'scopes'] }
const flows = {
  authorizationCode: flow,
  clientCredentials: flow,
  deviceCode: flow,
  implicit: oldFlow,
  password: oldFlow,
}
const scheme: Shape = {
  messages: {
    apiKeySecurityScheme: described,
    httpAuthSecurityScheme: { plain: ['description', 'bearerFormat'] },
    openIdConnectSecurityScheme: described,
    mtlsSecurityScheme: described,
    oauth2SecurityScheme: {
      plain: ['description', 'oauth2MetadataUrl'],
      messages: { flows: { messages: flows } },
    },
  },
}

const card: Shape = {
  plain: ['securitySchemes', 'securityRequirements'],
  messages: {
    supportedInterfaces: { plain: ['tenant'] },
    provider: {},
    capabilities: {
      plain: ['extensions'],
      messages: { extensions: { plain: ['uri', 'description', 'required'] } },
    },
    securityRequirements: requirement,
    skills: {
      plain: ['examples', 'inputModes', 'outputModes', 'securityRequirements'],
      messages: { securityRequirements: requirement },
    },
  },
  maps: { securitySchemes: scheme },
}

/** The text that is signed: the card without `signatures`. Fields that are not known stay, so that one that was added is noticed. */
export function canonicalCard({ signatures: _, ...rest }: AgentCard): string {
  return canonicalize(present(rest, card)) ?? ''
}

function present(value: unknown, shape: Shape): unknown {
  if (Array.isArray(value)) return value.map((one) => present(one, shape))
  if (typeof value !== 'object' || value === null) return value
  const { plain = [], messages = {}, maps = {} } = shape
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) => {
      if (field === undefined || field === null) return []
      if (plain.includes(name) && isDefault(field)) return []
      if (Object.hasOwn(messages, name)) return [[name, present(field, messages[name]!)]]
      if (Object.hasOwn(maps, name)) return [[name, eachOf(field, maps[name]!)]]
      return [[name, field]]
    }),
  )
}

const eachOf = (map: object, shape: Shape): object =>
  Object.fromEntries(Object.entries(map).map(([key, one]) => [key, present(one, shape)]))

/** Of what is plain, only lists and maps are objects: a message that is there says something by that alone. */
function isDefault(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0
  if (typeof value === 'object') return Object.keys(value!).length === 0
  return value === '' || value === false || value === 0
}
