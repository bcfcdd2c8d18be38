// The agent card from what the author wrote and what the server does (§4.4.1); addresses are added once it listens.
import type { Agent } from '../define-agent.ts'
import { type AgentCard, kitExtensions, type SecurityScheme } from '../protocol/index.ts'

/** What can be switched off, so that a client meets an agent without it (§3.3.4). */
export interface Capabilities {
  streaming: boolean
  pushNotifications: boolean
  extendedAgentCard: boolean
}

export interface Declared {
  capabilities?: Partial<Capabilities> | undefined
  /** Whether there are callers with tokens of their own. */
  tokens: boolean
  /** Whose JWTs count, where any do. */
  jwts?: { issuer: string; audience: string } | undefined
}

/** The public card, as yet without addresses. Each of its security schemes will do by itself. */
export function describeAgent(agent: Agent, { capabilities, ...callers }: Declared): AgentCard {
  const { name, description, ...rest } = agent.card
  const securitySchemes = schemesOf(callers)
  const names = Object.keys(securitySchemes)
  const authenticates = names.length > 0
  return {
    name,
    description,
    supportedInterfaces: [],
    ...rest,
    capabilities: {
      streaming: true,
      pushNotifications: true,
      extensions: [...kitExtensions, ...(agent.extensions ?? [])],
      extendedAgentCard: agent.extended !== undefined && authenticates,
      ...capabilities,
    },
    ...(authenticates && {
      securitySchemes,
      // An empty list would be stripped by some before they verify a signature, and kept by others.
      securityRequirements: names.map((scheme) => ({ schemes: { [scheme]: { list: ['caller'] } } })),
    }),
  }
}

/** How a caller may show who it is (§4.5). */
const schemesOf = ({ tokens, jwts }: Omit<Declared, 'capabilities'>): Record<string, SecurityScheme> => ({
  ...(tokens && { bearer: { httpAuthSecurityScheme: { scheme: 'Bearer' } } }),
  ...(jwts && {
    jwt: {
      httpAuthSecurityScheme: {
        scheme: 'Bearer',
        bearerFormat: 'JWT',
        description: `A JWT of ${jwts.issuer} for ${jwts.audience}.`,
      },
    },
  }),
})

/** The card for authenticated callers: the public one with what `extended` says instead, and its skills besides. */
export function describeExtended({ extended }: Agent, card: AgentCard): AgentCard | undefined {
  return extended && { ...card, ...extended, skills: [...card.skills, ...(extended.skills ?? [])] }
}
