// Who asks, in words for a person: what was checked of it, and plainly what was not.
import type { CallerCard } from '../../cards/caller.ts'
import { type Html, html } from './html.ts'
import type { Requester } from './requester.ts'

/** In a few words. */
export const whoInShort = ({ identified, name }: Requester): Html =>
  identified ? html`<strong><bdi>${name}</bdi></strong>` : html`somebody who was not identified`

export function who({ identified, name, card }: Requester): Html {
  if (!identified) {
    return html`<p><strong>Nobody was identified.</strong> This agent takes tasks from whoever reaches it, so anybody may have asked.</p>`
  }
  return html`<p><strong><bdi>${name}</bdi></strong>, who was identified by its token when it made the task.</p>
${card && html`<p>${claims(card)}</p>`}`
}

function claims(card: CallerCard): Html {
  const at = html`<bdi>${card.url}</bdi>`
  if ('problem' in card) return html`Its card at ${at} could not be read: ${card.problem}.`
  const { name, provider } = card
  const said = html`Its card at ${at} says that it is <strong><bdi>${name}</bdi></strong>${provider !== undefined && html` of <strong><bdi>${provider}</bdi></strong>`}.`
  return html`${said} ${proof(card)}`
}

function proof(card: Exclude<CallerCard, { problem: string }>): Html {
  switch (card.signature) {
    case 'verified':
      return html`<strong>The signature of the card was verified</strong>, by the key <bdi>${card.key}</bdi>${card.keyFrom !== undefined && html` from <bdi>${card.keyFrom}</bdi>`}.${!card.url.startsWith('https:') && html` Card and key came without TLS, so whoever is on the way could have changed both.`}`
    case 'none':
      return html`<strong>The card has no signature</strong>: nobody vouches for these names.`
    case 'not verified':
      return html`<strong>The signature of the card was not verified</strong>, so do not rely on these names: ${card.why}`
  }
}
