// What can be set about operators.
import type { CallerTokens } from '../../operations/index.ts'

export interface OperatorOptions {
  /** The tokens by the names of the operators that hold them; without any, whoever reaches the agent may decide. */
  tokens?: CallerTokens | undefined
  /** Whether an agent that others reach may do without tokens. */
  anyoneMayApprove?: boolean
  /** The names under which browsers reach the agent, besides its public one. */
  allowedHosts?: readonly string[]
  /** Where the cards of callers are, by the names of the callers. */
  callerCards?: { readonly [caller: string]: string }
}
