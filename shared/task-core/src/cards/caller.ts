// The card of a caller, as operators are shown it: what it claims, and whether its signature was verified (§8.4.3).
import { type AgentCard, verifyCard } from '../protocol/index.ts'

/** How long all of it may take, in ms: somebody waits for the page. */
const patience = 2000
/** The most that is read of a card, or of a key set, in characters. */
const largest = 1024 * 1024

export type CallerCard = { url: string } & (
  | ({ signature: 'verified'; key: string; keyFrom?: string } & Claims)
  | ({ signature: 'none' } & Claims)
  | ({ signature: 'not verified'; why: string } & Claims)
  | { problem: string }
)

/** What a card says of whose it is. */
interface Claims {
  name: string
  provider?: string
}

/**
 * Reads the card at `address`, which the operator has set: the agent's, or the card's own, which ends in `.json`. Keys are only asked for at
 * the card's own origin, and no redirect is followed. Never throws.
 */
export async function readCallerCard(address: string): Promise<CallerCard> {
  const url = cardUrl(address)
  const signal = AbortSignal.timeout(patience)
  const fetchJson = (at: string) => readJson(at, signal)
  try {
    const card = (await fetchJson(url)) as AgentCard
    const claims = claimsOf(card)
    if (!Array.isArray(card.signatures) || card.signatures.length === 0) {
      return { url, ...claims, signature: 'none' }
    }
    return { url, ...claims, ...(await verified(card, url, fetchJson)) }
  } catch (error) {
    return { url, problem: signal.aborted ? `no answer within ${patience / 1000} s` : reasonOf(error) }
  }
}

async function verified(card: AgentCard, cardUrl: string, fetchJson: (at: string) => Promise<unknown>) {
  try {
    const { kid, jku } = await verifyCard(card, { trust: {}, cardUrl, fetchJson })
    return { signature: 'verified', key: kid, ...(jku !== undefined && { keyFrom: jku }) } as const
  } catch (error) {
    return { signature: 'not verified', why: reasonOf(error) } as const
  }
}

function cardUrl(address: string): string {
  const url = new URL(address)
  if (!url.pathname.endsWith('.json')) {
    url.pathname = `${url.pathname.replace(/\/+$/, '')}/.well-known/agent-card.json`
  }
  return url.href
}

function claimsOf(card: AgentCard): Claims {
  const { name, provider } = card ?? {}
  if (typeof name !== 'string') throw new Error('what is there is no agent card')
  const organization: unknown = provider?.organization
  return { name, ...(typeof organization === 'string' && { provider: organization }) }
}

async function readJson(url: string, signal: AbortSignal): Promise<unknown> {
  const headers = { Accept: 'application/json', 'A2A-Version': '1.0' }
  const { request } = await import('undici') // only where there is a card to read
  const { statusCode, body } = await request(url, { headers, signal })
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of body) {
    text += decoder.decode(chunk as Buffer, { stream: true })
    if (text.length > largest) throw new Error('what is there is too long for a card')
  }
  if (statusCode !== 200) throw new Error(`HTTP ${statusCode}`)
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('what is there is not JSON')
  }
}

const reasonOf = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException
  return code ?? message
}
