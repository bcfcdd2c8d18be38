// The agent card from what the author wrote and what the server does (§4.4.1); addresses are added once it listens.
import type { Agent } from '../define-agent.ts'
import { type AgentCard, kitExtensions } from '../protocol/index.ts'

/** What can be switched off, so that a client meets an agent without it (§3.3.4). */
export interface Capabilities {
  streaming: boolean
  pushNotifications: boolean
  extendedAgentCard: boolean
}

export interface Declared {
  capabilities?: Partial<Capabilities> | undefined
  /** Whether callers need a token. */
  authenticates: boolean
}

/** The public card, as yet without addresses. */
export function describeAgent(agent: Agent, { capabilities, authenticates }: Declared): AgentCard {
  const { name, description, ...rest } = agent.card
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
      securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: 'Bearer' } } },
      // An empty list would be stripped by some before they verify a signature, and kept by others.
      securityRequirements: [{ schemes: { bearer: { list: ['caller'] } } }],
    }),
  }
}

/** The card for authenticated callers: the public one with what `extended` says instead, and its skills besides. */
export function describeExtended({ extended }: Agent, card: AgentCard): AgentCard | undefined {
  return extended && { ...card, ...extended, skills: [...card.skills, ...(extended.skills ?? [])] }
}
