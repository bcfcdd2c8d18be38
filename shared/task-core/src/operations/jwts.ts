// Who a JWT says that its bearer is (RFC 7519): checked against a key set or a shared secret, for one issuer and one audience.
import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { A2AError } from '../protocol/index.ts'
import type { Caller } from './context.ts'
import { invalidToken } from './unauthenticated.ts'

/** Whose JWTs count: those of `issuer` for `audience`, signed with a key of the set at `jwksUrl`, or with `secret`. */
export type JwtTrust = { issuer: string; audience: string } & ({ jwksUrl: string } | { secret: Uint8Array })

/** No HMAC beside these: whoever knows a public key could sign with it. */
const asymmetric = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
]

/** How far the clocks of issuer and agent may be apart, in seconds. */
const tolerance = 5

/** How long a key set that could not be fetched is not asked for again, in ms: a flood of tokens is none of requests for it. */
const pause = 2000

/** Longer ones, and those with characters that no log shows, are no names. */
const readable = /^[^\p{Cc}\p{Cs}]{1,255}$/u

export type ReadJwt = (token: string) => Promise<Caller>

/** `now` is in ms since the epoch. */
export function createReadJwt(trust: JwtTrust, now: () => number): ReadJwt {
  const { issuer, audience } = trust
  const [key, algorithms] =
    'secret' in trust ? [async () => trust.secret, ['HS256']] : [keysAt(trust.jwksUrl, now), asymmetric]

  /**
   * The caller `jwt:<sub>`, who is one until the token expires.
   * @throws A2AError UnauthenticatedError, which says what is wrong and shows nothing of the token; UnavailableError while there are no keys
   */
  return async function readJwt(token) {
    try {
      const { payload } = await jwtVerify(token, key, {
        issuer,
        audience,
        algorithms,
        requiredClaims: ['exp', 'sub'],
        clockTolerance: tolerance,
        currentDate: new Date(now()),
      })
      const { sub, exp } = payload
      if (typeof sub !== 'string' || !readable.test(sub))
        throw invalidToken('its "sub" is no name of a caller')
      return { id: `jwt:${sub}`, authenticated: true, expiresAt: (exp! + tolerance) * 1000 }
    } catch (error) {
      throw error instanceof A2AError ? error : invalidToken(whyOf(error))
    }
  }
}

function whyOf(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'it has expired: get a new one'
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.reason === 'missing') return `it has no "${error.claim}"`
    return `its "${error.claim}" is not what this agent takes`
  }
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'its signature does not match'
  if (error instanceof errors.JOSEAlgNotAllowed) return 'its algorithm is not taken here'
  if (error instanceof errors.JWKSNoMatchingKey) return 'its key is not in the key set of the issuer'
  if (error instanceof errors.JWKSMultipleMatchingKeys) return 'it must name its key, with "kid"'
  return 'it is no JWT that can be read'
}

const ofTheToken = [errors.JWKSNoMatchingKey, errors.JWKSMultipleMatchingKeys]

/** The keys at `url`, kept for ten minutes; one that is missing has them fetched again, at most every half minute. */
function keysAt(url: string, now: () => number): JWTVerifyGetKey {
  let failedAt = Number.NEGATIVE_INFINITY
  const pauses = () => Math.abs(now() - failedAt) < pause
  const keys = createRemoteJWKSet(new URL(url), {
    [customFetch]: async (...request) => {
      if (pauses()) throw new Error('The key set could not be fetched just now.')
      return fetch(...request)
    },
  })
  return async (header, token) => {
    try {
      return await keys(header, token)
    } catch (error) {
      if (ofTheToken.some((kind) => error instanceof kind)) throw error
      const away = new A2AError(
        'UnavailableError',
        'The keys that tokens are checked with cannot be had now. Try again.',
      )
      if (pauses()) throw away
      failedAt = now()
      throw Object.assign(away, { cause: error }) // For the log, once.
    }
  }
}
