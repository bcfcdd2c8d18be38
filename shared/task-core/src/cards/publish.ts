// The cards as they are served: texts made once, each with the tag by which a client asks whether it has changed (§8.6).
import { hash } from 'node:crypto'
import type { JWK } from 'jose'
import type { AgentCard } from '../protocol/index.ts'
import { card03, withFieldsOf03 } from '../v03/index.ts'
import { type SigningKey, signatureOf } from './sign.ts'

/** A text with its caching headers. */
export interface Published {
  body: string
  etag: string
  lastModified: string
}

export interface PublishedCards {
  /** The card by the version that the client names in A2A-Version; `''` for none. */
  byVersion: { readonly [version in '1.0' | '0.3' | '']: Published }
  /** When they were made, in ms since the epoch. */
  now: number
  /** JWKS; without keys where cards are not signed. */
  keys: Published
}

export interface PublishOptions {
  card: AgentCard
  extendedCard: AgentCard | undefined
  /** The address that others use. */
  url: string
  signingKey: SigningKey | undefined
  /** Whether the card for no version has the fields of 0.3 too. */
  legacyCard: boolean
  /** When the process began to serve them, in ms since the epoch. */
  now: number
}

/** Signs both cards in place, if there is a key, and makes the texts. */
export async function publishCards({
  card,
  extendedCard,
  url,
  signingKey,
  legacyCard,
  now,
}: PublishOptions): Promise<PublishedCards> {
  if (signingKey) {
    for (const one of [card, extendedCard]) {
      if (one) one.signatures = [await signatureOf(one, signingKey, `${url}/.well-known/jwks.json`)]
    }
  }
  const publish = (content: object) => published(content, now)
  const keys: JWK[] = signingKey ? [signingKey.publicJwk] : []
  return {
    byVersion: {
      '1.0': publish(card),
      '0.3': publish(card03(card)),
      '': publish(legacyCard ? withFieldsOf03(card) : card),
    },
    now,
    keys: publish({ keys }),
  }
}

/** `content` as JSON, as of `now` in ms since the epoch. */
export function published(content: object, now: number): Published {
  const body = JSON.stringify(content)
  const etag = `"${hash('sha256', body, 'base64url').slice(0, 27)}"`
  return { body, etag, lastModified: new Date(now).toUTCString() }
}
