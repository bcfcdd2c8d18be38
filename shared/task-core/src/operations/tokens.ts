// Whose a token is. Digests are compared, in constant time: how long it takes tells nothing of the tokens that are known.
import { hash, timingSafeEqual } from 'node:crypto'

/** The tokens by the names of those who hold them. */
export type CallerTokens = { readonly [name: string]: string }

/** The result gives the name that holds a token, or undefined for one that nobody holds. */
export function createHolderOf(tokens: CallerTokens) {
  const known = Object.entries(tokens).map(([name, token]) => ({ name, digest: digestOf(token) }))
  return function holderOf(token: string): string | undefined {
    const digest = digestOf(token)
    return known.find((one) => timingSafeEqual(one.digest, digest))?.name
  }
}

const digestOf = (token: string): Buffer => hash('sha256', token, 'buffer')
