// Verifies the signature of an agent card (§8.4.3): against keys that are trusted, or those that the card's own origin serves.
import type { JWK } from 'jose'
import { canonicalCard } from './canonical-card.ts'
import type { AgentCard, AgentCardSignature } from './card-types.ts'

/** Whose signatures count. */
export interface Trust {
  /** Public keys that are known beforehand, each with its `kid`. */
  keys?: readonly JWK[]
  /**
   * Origins, such as `https://keys.example`, whose key sets are fetched where a signature names them; by default the card's own,
   * and none where `keys` are given.
   */
  origins?: readonly string[]
}

/** The signature that was verified. */
export interface SignedBy {
  kid: string
  alg: string
  /** Where the key came from; undefined for one of `keys`. */
  jku?: string
}

// A secret shared with everybody who verifies, or no key at all, would prove nothing.
const algorithms = ['ES256', 'ES384', 'ES512', 'EdDSA', 'RS256', 'PS256']

/** Each may name a key set that is fetched: a card with thousands must not make this client an attacker. */
const mostSignatures = 10

export interface VerifyOptions {
  trust: Trust
  /** Where the card was fetched. */
  cardUrl: string
  /** Gives the JSON at a URL; no redirect is followed. */
  fetchJson: (url: string) => Promise<unknown>
}

/**
 * Verifies `card` as it was served, by its first ten signatures: every field but `signatures` is covered, one that is not known too.
 * @throws Error that says of each signature why it does not count
 */
export async function verifyCard(card: AgentCard, options: VerifyOptions): Promise<SignedBy> {
  const payload = payloadOf(card)
  const reasons: string[] = []
  const signatures = Array.isArray(card.signatures) ? card.signatures : []
  for (const signature of signatures.slice(0, mostSignatures)) {
    try {
      return await verifyOne(payload, signature, options)
    } catch (error) {
      reasons.push((error as Error).message)
    }
  }
  const why = reasons.length > 0 ? reasons.join('; ') : 'it has none'
  throw new Error(`The card of ${card.name} has no signature that can be trusted: ${why}.`)
}

function payloadOf(card: AgentCard): string {
  try {
    return Buffer.from(canonicalCard(card)).toString('base64url')
  } catch (cause) {
    throw new Error(`The card has no canonical form: ${(cause as Error).message}.`, { cause })
  }
}

async function verifyOne(
  payload: string,
  { protected: head, signature }: AgentCardSignature,
  options: VerifyOptions,
): Promise<SignedBy> {
  const { decodeProtectedHeader, flattenedVerify, importJWK } = await import('jose') // only where something is verified
  const { alg = 'none', kid, jku } = decodeProtectedHeader({ protected: head, signature, payload })
  if (!algorithms.includes(alg)) throw new Error(`the algorithm ${alg} is not accepted`)
  if (typeof kid !== 'string') throw new Error('it names no key')
  const { key, from } = await findKey(kid, jku, options)
  if (key.use !== undefined && key.use !== 'sig') throw new Error(`the key ${kid} is not for signatures`)
  if (key.alg !== undefined && key.alg !== alg) throw new Error(`the key ${kid} is not for ${alg}`)
  const { exp } = key as { exp?: unknown }
  if (typeof exp === 'number' && exp * 1000 <= Date.now()) throw new Error(`the key ${kid} has expired`)
  await flattenedVerify({ protected: head, signature, payload }, await importJWK(key, alg), { algorithms })
  return { kid, alg, ...(from && { jku: from }) }
}

/** The public key with this id; asked for anew each time, so that one that was revoked is not found. */
async function findKey(
  kid: string,
  jku: string | undefined,
  { trust, cardUrl, fetchJson }: VerifyOptions,
): Promise<{ key: JWK; from?: string }> {
  const known = trust.keys?.find((key) => key.kid === kid)
  if (known) return { key: known }
  const own = new URL(cardUrl).origin
  const origins = trust.origins ?? (trust.keys ? [] : [own])
  if (typeof jku !== 'string' || !URL.canParse(jku)) throw new Error(`the key ${kid} is not known`)
  const { origin, protocol } = new URL(jku)
  if (!origins.includes(origin)) throw new Error(`keys from ${origin} are not trusted`)
  if (protocol !== 'https:' && origin !== own)
    throw new Error(`keys from ${origin} come over no secure channel`)
  const set = await fetchJson(jku)
  const keys = isObject(set) && Array.isArray(set.keys) ? (set.keys as unknown[]).filter(isObject) : []
  const key = keys.find((one) => one.kid === kid)
  if (!key) throw new Error(`${origin} has no key ${kid}`)
  return { key: key as JWK, from: jku }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
