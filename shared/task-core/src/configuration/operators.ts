// Who may decide what waits for an operator, under which names a browser reaches the agent, and where its callers' cards are.
import type { OperatorOptions } from '../http/operators/options.ts'
import type { Callers } from './callers.ts'
import type { Part } from './part.ts'
import type { TelemetryConfiguration } from './telemetry.ts'
import { patterns, readCards, readHosts, readTokens } from './values.ts'

export interface Operators {
  operators: OperatorOptions
}

export const operators: Part<Operators> = {
  properties: {
    OPERATOR_TOKENS: { type: 'string', pattern: patterns.OPERATOR_TOKENS },
    ANYONE_MAY_APPROVE: { type: 'boolean', default: false },
    ALLOWED_HOSTS: { type: 'string', pattern: patterns.ALLOWED_HOSTS },
    CALLER_CARDS: { type: 'string', pattern: patterns.CALLER_CARDS },
  },
  read: (values) => ({
    operators: {
      tokens:
        values.OPERATOR_TOKENS === undefined
          ? undefined
          : readTokens(values.OPERATOR_TOKENS, 'OPERATOR_TOKENS', 'operator'),
      anyoneMayApprove: values.ANYONE_MAY_APPROVE,
      allowedHosts: readHosts(values.ALLOWED_HOSTS ?? ''),
      callerCards: readCards(values.CALLER_CARDS),
    },
  }),
}

/**
 * Who calls must not be able to approve what the call leads to, and who reads the metrics must not be able to do either.
 * @throws Error that names both, and shows no token
 */
export function checkApart(
  { callerTokens = {} }: Callers,
  { operators }: Operators,
  { metricsToken }: Pick<TelemetryConfiguration, 'metricsToken'>,
): void {
  for (const [variable, tokens] of Object.entries({
    OPERATOR_TOKENS: operators.tokens ?? {},
    CALLER_TOKENS: callerTokens,
  })) {
    const [name] = Object.entries(tokens).find(([, token]) => token === metricsToken) ?? []
    if (name !== undefined)
      throw new Error(`METRICS_TOKEN is the token of "${name}" in ${variable} too: give each its own.`)
  }
  for (const [operator, token] of Object.entries(operators.tokens ?? {})) {
    const caller = Object.keys(callerTokens).find((name) => callerTokens[name] === token)
    if (caller === undefined) continue
    throw new Error(
      `The operator "${operator}" of OPERATOR_TOKENS and the caller "${caller}" of CALLER_TOKENS have one token: give each its own.`,
    )
  }
}
