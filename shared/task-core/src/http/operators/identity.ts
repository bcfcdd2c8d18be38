// Tells who decides: an operator by name, by a token of their own; or "operator" where none has one.
import type { FastifyRequest } from 'fastify'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { type CallerTokens, createHolderOf, createNetworkOf } from '../../operations/index.ts'
import { outside } from '../../telemetry/index.ts'
import { OperatorError } from './errors.ts'

/** Wrong tokens that may come from one network within `window` seconds; then it waits, whatever it sends. */
const mostFailures = 10
const window = 60

/** The name of the operator that `request` comes from. @throws OperatorError 401, or 429 after too many wrong tokens */
export type Identify = (request: FastifyRequest) => Promise<string>

/** Where there are no tokens, whoever reaches the agent's address is this one. */
const anyOperator = 'operator'

/** `proxies` are those whose word for where a request comes from counts. */
export function createIdentify(
  agent: string,
  tokens: CallerTokens = {},
  proxies: readonly string[] = [],
): Identify {
  if (Object.keys(tokens).length === 0) return async () => anyOperator
  const holderOf = createHolderOf(tokens)
  const failures = new RateLimiterMemory({ points: mostFailures, duration: window })
  const networkOf = createNetworkOf(proxies)
  const realm = `realm="${agent.replace(/[^\w .-]/g, '')} operators"`
  const challenges = { 'www-authenticate': [`Bearer ${realm}`, `Basic ${realm}, charset="UTF-8"`] }

  return async ({ headers, socket }) => {
    const given = readCredentials(headers.authorization)
    if (!given) throw new OperatorError(401, `${only} ${how}`, challenges)
    const from = networkOf({ peer: socket.remoteAddress, forwardedFor: forwardedIn(headers) })
    const name = holderOf(given.token)
    const isKnown = name !== undefined && (given.name === undefined || given.name === name)
    // A right one does not count, and does not pass either while others wait: else guessing would only be hidden.
    // In no scope: the timer that forgets them would hold the request's, and with it an agent that has closed.
    const { consumedPoints = 0, msBeforeNext = 0 } =
      (await outside(() => (isKnown ? failures.get(from) : failures.penalty(from)))) ?? {}
    if (isKnown ? consumedPoints >= mostFailures : consumedPoints > mostFailures) {
      const seconds = Math.max(1, Math.ceil(msBeforeNext / 1000))
      const why = `Too many wrong tokens came from your address: try again in ${seconds} s.`
      throw new OperatorError(429, why, { 'retry-after': String(seconds) })
    }
    if (isKnown) return name
    throw new OperatorError(401, `The name and token are no operator’s. ${how}`, challenges)
  }
}

const only = 'Only operators may read and decide here.'
const how = 'Sign in with your name and token, or send Authorization: Bearer <token>.'

const forwardedIn = ({ 'x-forwarded-for': value }: FastifyRequest['headers']): string | undefined =>
  value === undefined ? undefined : [value].flat().join(',')

/** A token, with the name of its operator where a browser asked for both. */
function readCredentials(authorization = ''): { name?: string; token: string } | undefined {
  const [, scheme, text = ''] = /^(bearer|basic) +(\S+)$/i.exec(authorization.trim()) ?? []
  if (scheme === undefined) return undefined
  if (scheme.toLowerCase() === 'bearer') return { token: text }
  const [name = '', token = ''] = Buffer.from(text, 'base64').toString().split(/:(.*)/s)
  return { name, token }
}
