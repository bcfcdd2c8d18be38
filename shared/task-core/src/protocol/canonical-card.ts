// The form of an agent card that is signed: field presence as in the proto, then JCS (§8.4.1, RFC 8785).
import canonicalize from 'canonicalize'
import type { AgentCard } from './types.ts'

/** How the fields of one message of the proto are treated. */
interface Shape {
  /** Fields marked REQUIRED or `optional`: they stay, whatever their value. */
  kept: readonly string[]
  /** Fields that are messages, alone or in a list. */
  messages?: { readonly [field: string]: Shape }
  /** Maps to messages. */
  maps?: { readonly [field: string]: Shape }
}

const scopes = { maps: {}, kept: [] } satisfies Shape
const requirement: Shape = { kept: [], maps: { schemes: { kept: [] } } }
const flow = (...kept: string[]): Shape => ({ ...scopes, kept })
const scheme: Shape = {
  kept: [],
  messages: {
    apiKeySecurityScheme: { kept: ['location', 'name'] },
    httpAuthSecurityScheme: { kept: ['scheme'] },
    openIdConnectSecurityScheme: { kept: ['openIdConnectUrl'] },
    mtlsSecurityScheme: { kept: [] },
    oauth2SecurityScheme: {
      kept: ['flows'],
      messages: {
        flows: {
          kept: [],
          messages: {
            authorizationCode: flow('authorizationUrl', 'tokenUrl', 'scopes'),
            clientCredentials: flow('tokenUrl', 'scopes'),
            implicit: flow(),
            password: flow(),
            deviceCode: flow('deviceAuthorizationUrl', 'tokenUrl', 'scopes'),
          },
        },
      },
    },
  },
}

const card: Shape = {
  kept: [
    'name',
    'description',
    'supportedInterfaces',
    'version',
    'documentationUrl',
    'capabilities',
    'defaultInputModes',
    'defaultOutputModes',
    'skills',
    'iconUrl',
  ],
  messages: {
    supportedInterfaces: { kept: ['url', 'protocolBinding', 'protocolVersion'] },
    provider: { kept: ['url', 'organization'] },
    capabilities: {
      kept: ['streaming', 'pushNotifications', 'extendedAgentCard'],
      messages: { extensions: { kept: [] } },
    },
    securityRequirements: requirement,
    skills: {
      kept: ['id', 'name', 'description', 'tags'],
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
  const { kept, messages = {}, maps = {} } = shape
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) => {
      if (field === undefined || field === null) return []
      if (isDefault(field, Object.hasOwn(maps, name)) && !kept.includes(name)) return []
      if (Object.hasOwn(messages, name)) return [[name, present(field, messages[name]!)]]
      if (Object.hasOwn(maps, name)) return [[name, eachOf(field, maps[name]!)]]
      return [[name, field]]
    }),
  )
}

const eachOf = (map: object, shape: Shape): object =>
  Object.fromEntries(Object.entries(map).map(([key, one]) => [key, present(one, shape)]))

/** A message or a Struct that is there says something by that alone, even if it is empty; a map does not. */
function isDefault(value: unknown, isMap: boolean): boolean {
  if (Array.isArray(value)) return value.length === 0
  if (typeof value === 'object') return isMap && Object.keys(value!).length === 0
  return value === '' || value === false || value === 0
}
