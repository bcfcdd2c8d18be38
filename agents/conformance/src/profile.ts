// How the conformance agent is set up: on its own, or for the official suite, whose wishes differ from the specification in places.
import type { Agent, AgentOptions } from '@a2a-kit/task-core'
import { conformance } from './agent.ts'

export interface Profile {
  agent: Agent
  options: Pick<AgentOptions, 'capabilities' | 'legacyCard' | 'settings'>
}

/** The cards that the suite is run against; together they cover every requirement that it tests. */
const cards = ['full', 'minimal', 'required-extension'] as const

const nothing = { streaming: false, pushNotifications: false, extendedAgentCard: false }

/**
 * Reads `CONFORMANCE_PROFILE` (`tck`, or nothing) and, with it, `CONFORMANCE_CARD` (`full`, `minimal`, `required-extension`).
 * @throws Error that names the variable at fault
 */
export function readProfile(env: NodeJS.ProcessEnv): Profile {
  const profile = choice(env, 'CONFORMANCE_PROFILE', ['', 'tck'])
  const card = choice(env, 'CONFORMANCE_CARD', cards)
  const agent = withCard(card, profile === 'tck')
  if (profile !== 'tck') return { agent, options: { capabilities: card === 'minimal' ? nothing : {} } }
  return {
    agent,
    options: {
      capabilities: card === 'minimal' ? nothing : { extendedAgentCard: true },
      legacyCard: false, // its schema knows the fields of 1.0 alone
      settings: {
        deduplicate: false, // it sends one messageId to many tasks
        grpcStatuses: '1.0.0', // 1.0.1 has others
        openExtendedCard: true, // it has no credentials
        streamArtifacts: true,
        pushAllowedHosts: ['*'], // its receiver is on this machine
      },
    },
  }
}

function withCard(card: (typeof cards)[number], isSuite: boolean): Agent {
  return {
    ...conformance,
    // The suite wants a part of a made-up media type to be accepted.
    card: { ...conformance.card, ...(isSuite && { defaultInputModes: ['*/*'] }) },
    extended: {
      description: `${conformance.card.description} This is its extended card.`,
    },
    ...(card === 'required-extension' && {
      extensions: [{ uri: 'urn:a2a:tck:required-extension', description: 'Does nothing.', required: true }],
    }),
  }
}

function choice<T extends string>(env: NodeJS.ProcessEnv, name: string, known: readonly T[]): T {
  const value = env[name] ?? ''
  if (value === '') return known[0]!
  if (known.includes(value as T)) return value as T
  throw new Error(`The environment variable ${name} must be one of ${known.filter(Boolean).join(', ')}.`)
}
