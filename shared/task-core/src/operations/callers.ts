// Who calls (§7.4): by a token that is known, by a JWT, or anybody where none are asked for.
import { A2AError } from '../protocol/index.ts'
import type { Caller } from './context.ts'
import type { JwtTrust, ReadJwt } from './jwts.ts'
import { countedAs, createRate, type Rate } from './limits.ts'
import { createNetworkOf, type Origin } from './networks.ts'
import { type CallerTokens, createHolderOf } from './tokens.ts'
import { noToken, unknownToken } from './unauthenticated.ts'

export interface CallerOptions {
  callerTokens?: CallerTokens | undefined
  callerJwts?: JwtTrust | undefined
  /** The proxies whose word for where a call comes from counts: addresses and CIDR ranges. */
  trustProxy?: readonly string[]
  /** How many tokens that do not hold are looked at in a minute, from one network; 0, the default, is no limit. */
  maxAuthFailuresPerMinute?: number
  /** The time, in ms since the epoch. */
  now?: () => number
}

/** Where callers are not told apart, every task belongs to this one. */
export const anyone = 'anyone'

/** `requests` counts those of nobody that is known; who is known is counted by whom it calls. */
export function createIdentify(
  { callerTokens, callerJwts, trustProxy, maxAuthFailuresPerMinute = 0, now = Date.now }: CallerOptions,
  requests: Rate,
) {
  const networkOf = createNetworkOf(trustProxy)
  const failures = createRate('failed authentications', maxAuthFailuresPerMinute, 60)
  const readJwt = callerJwts && loadReadJwt(callerJwts, now)
  const nameOf = callerTokens && createHolderOf(callerTokens)
  const open = callerTokens === undefined && callerJwts === undefined

  /** @throws A2AError UnauthenticatedError, TooManyRequestsError, UnavailableError */
  return async function identify(given: Origin & { authorization?: string | undefined }): Promise<Caller> {
    const nobody = { id: anyone, authenticated: false, network: networkOf(given) }
    if (open) return nobody
    const [, token] = /^bearer +(\S+)$/i.exec(given.authorization?.trim() ?? '') ?? []
    const from = countedAs(nobody)
    try {
      if (token === undefined) throw noToken()
      await failures.check(from)
      return await holderOf(token)
    } catch (error) {
      await requests.take(from)
      if (token !== undefined && isRefusal(error)) await failures.take(from)
      throw error
    }
  }

  async function holderOf(token: string): Promise<Caller> {
    const name = nameOf?.(token)
    if (name !== undefined) return { id: name, authenticated: true }
    if (readJwt && (!nameOf || jwtForm.test(token))) return readJwt(token)
    throw unknownToken()
  }
}

/** Loaded only where JWTs count, and at once: the first caller need not wait for it. */
function loadReadJwt(trust: JwtTrust, now: () => number): ReadJwt {
  const loaded = import('./jwts.ts').then(({ createReadJwt }) => createReadJwt(trust, now))
  return async (token) => (await loaded)(token)
}

const jwtForm = /^[\w-]+\.[\w-]+\.[\w-]+$/

const isRefusal = (error: unknown) => error instanceof A2AError && error.name === 'UnauthenticatedError'
