// Signs agent cards: a JWS over the canonical form (§8.4), with one key, whose public half is served as a JWKS. `jose` is loaded only where that is done.
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import type { JWK } from 'jose'
import { type AgentCard, type AgentCardSignature, canonicalCard } from '../protocol/index.ts'

export interface SigningKey {
  alg: 'ES256' | 'EdDSA'
  kid: string
  key: KeyObject
  /** What is served for those who verify. */
  publicJwk: JWK
}

/**
 * Reads a private key, as PEM (PKCS #8) or as a JWK: P-256 signs with ES256, Ed25519 with EdDSA. Its id is the JWK's `kid`, if that
 * is a text, else its thumbprint (RFC 7638).
 * @throws Error that says what is wrong, without the key
 */
export async function readSigningKey(text: string): Promise<SigningKey> {
  const { key, kid } = parseKey(text)
  const alg = algorithmOf(key)
  const { calculateJwkThumbprint, exportJWK } = await import('jose')
  const jwk = await exportJWK(createPublicKey(key))
  const id = kid ?? (await calculateJwkThumbprint(jwk))
  return { alg, kid: id, key, publicJwk: { ...jwk, kid: id, alg, use: 'sig' } }
}

function parseKey(text: string): { key: KeyObject; kid?: string | undefined } {
  try {
    if (!text.trimStart().startsWith('{')) return { key: createPrivateKey(text) }
    const jwk = JSON.parse(text) as JWK
    const named = typeof jwk.kid === 'string' && jwk.kid !== ''
    return { key: createPrivateKey({ key: jwk as never, format: 'jwk' }), kid: named ? jwk.kid : undefined }
  } catch {
    throw new Error('The signing key cannot be read: it must be a private key, as PEM (PKCS #8) or as a JWK.')
  }
}

function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): SigningKey['alg'] {
  if (asymmetricKeyType === 'ed25519') return 'EdDSA'
  if (asymmetricKeyType === 'ec' && asymmetricKeyDetails?.namedCurve === 'prime256v1') return 'ES256'
  throw new Error(
    `The signing key must be of P-256 (ES256) or Ed25519 (EdDSA), and is of ${asymmetricKeyType}.`,
  )
}

/**
 * The signature of `card`; `jku` is where the public key is served.
 * @throws Error when a field is empty that one verifier would strip and another keep
 */
export async function signatureOf(
  card: AgentCard,
  { key, alg, kid }: SigningKey,
  jku: string,
): Promise<AgentCardSignature> {
  const empty = findEmpty(JSON.parse(canonicalCard(card)))
  if (empty) {
    throw new Error(
      `The card cannot be signed so that all verify it: ${empty} is empty, which some strip first. Fill it in or leave it out.`,
    )
  }
  const { FlattenedSign } = await import('jose')
  const jws = await new FlattenedSign(Buffer.from(canonicalCard(card)))
    .setProtectedHeader({ alg, typ: 'JOSE', kid, jku })
    .sign(key)
  return { protected: jws.protected!, signature: jws.signature }
}

/** The path of the first value in it that says nothing; undefined if there is none. */
function findEmpty(value: unknown, path = 'card'): string | undefined {
  if (value === '' || value === null) return path
  if (typeof value !== 'object') return undefined
  const inner = Object.entries(value)
  if (inner.length === 0) return path
  for (const [name, one] of inner) {
    const found = findEmpty(one, Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`)
    if (found) return found
  }
  return undefined
}
