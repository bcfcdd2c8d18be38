// Who asks: the caller whose task it is, whether it was identified, and what the card says that the operator set for it.
import { type CallerCard, readCallerCard } from '../../cards/caller.ts'
import { anyone } from '../../operations/index.ts'

export interface Requester {
  /** Whether the caller showed who it is when it made the task; without, there is no name. */
  identified: boolean
  name?: string
  /** Where `CALLER_CARDS` has it. */
  card?: CallerCard
}

/** How long what was read of a card is shown again, in ms: a page that is loaded often must not ask as often. */
const keptFor = 30_000

/** `addresses` of cards by callers. The result gives the requester of a task by its owner, and never throws. */
export function createRequesters(addresses: { readonly [caller: string]: string } = {}) {
  const cards = new Map<string, { at: number; card: Promise<CallerCard> }>()

  function cardOf(caller: string): Promise<CallerCard> {
    const known = cards.get(caller)
    if (known && Date.now() - known.at < keptFor) return known.card
    const card = readCallerCard(addresses[caller]!)
    cards.set(caller, { at: Date.now(), card })
    return card
  }

  return {
    nameOf: (owner: string): Requester =>
      owner === anyone ? { identified: false } : { identified: true, name: owner },
    async describe(owner: string): Promise<Requester> {
      const requester = this.nameOf(owner)
      if (!requester.identified || !Object.hasOwn(addresses, owner)) return requester
      return { ...requester, card: await cardOf(owner) }
    },
  }
}

export type Requesters = ReturnType<typeof createRequesters>
