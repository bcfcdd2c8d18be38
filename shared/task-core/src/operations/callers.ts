// Who calls (§7.4): by a token that is known, by a JWT, or anybody where none are asked for.
import { hash, timingSafeEqual } from 'node:crypto'
import { A2AError } from '../protocol/index.ts'
import type { Caller } from './context.ts'
import { createReadJwt, type JwtTrust } from './jwts.ts'
import { countedAs, createRate, type Rate } from './limits.ts'
import { createNetworkOf, type Origin } from './networks.ts'
import { noToken, unknownToken } from './unauthenticated.ts'

/** The tokens by the names of the callers that hold them. */
export type CallerTokens = { readonly [name: string]: string }

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
  const readJwt = callerJwts && createReadJwt(callerJwts, now)
  const known = Object.entries(callerTokens ?? {}).map(([name, token]) => ({
    caller: { id: name, authenticated: true },
    digest: digestOf(token),
  }))
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
    const digest = digestOf(token)
    const found = known.find((one) => timingSafeEqual(one.digest, digest))
    if (found) return found.caller
    if (readJwt && (known.length === 0 || jwtForm.test(token))) return readJwt(token)
    throw unknownToken()
  }
}

const digestOf = (token: string): Buffer => hash('sha256', token, 'buffer')

const jwtForm = /^[\w-]+\.[\w-]+\.[\w-]+$/

const isRefusal = (error: unknown) => error instanceof A2AError && error.name === 'UnauthenticatedError'
