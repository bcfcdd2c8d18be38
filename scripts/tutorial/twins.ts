// What a recorded id, address or secret is called in this play, and the other way round.

/** Saved between sittings. */
export interface SavedTwins {
  pairs: [recorded: string, live: string][]
  times: [recorded: string, live: string][]
}

export interface Twins {
  /** What `recorded` is here; undefined if that is not known yet. */
  live(recorded: string): string | undefined
  /** Makes them twins, and says whether they can be: neither may have another. */
  pair(recorded: string, live: string): boolean
  /** Notes the last live time seen where `recorded` stands. Times are no twins: two can fall together. */
  time(recorded: string, live: string): void
  /** A pattern for the recorded words that have a twin; undefined if there are none. */
  known(): string | undefined
  /** `text` of the capture as it is to be sent here. */
  translate(text: string): string
  /** Twins that learn on their own: for an answer that may yet be asked for again. */
  fork(): Twins
  save(): SavedTwins
}

export function createTwins(saved: SavedTwins = { pairs: [], times: [] }): Twins {
  const forward = new Map(saved.pairs)
  const backward = new Map(saved.pairs.map(([recorded, live]) => [live, recorded]))
  const times = new Map(saved.times)

  /** Any of the words as they stand in `text`; a longer one comes first. */
  const anyOf = (words: Iterable<string>): string =>
    [...words]
      .sort((one, other) => other.length - one.length)
      .map((word) => `(?<![\\w-])${escaped(word)}(?![\\w-])`)
      .join('|')

  return {
    live: (recorded) => forward.get(recorded),
    pair(recorded, live) {
      if (forward.has(recorded) || backward.has(live)) return forward.get(recorded) === live
      forward.set(recorded, live)
      backward.set(live, recorded)
      return true
    },
    time: (recorded, live) => void times.set(recorded, live),
    known: () => anyOf(forward.keys()) || undefined,
    translate(text) {
      const pattern = anyOf([...forward.keys(), ...times.keys()])
      if (pattern === '') return text
      return text.replace(new RegExp(pattern, 'g'), (word) => forward.get(word) ?? times.get(word)!)
    },
    fork: () => createTwins({ pairs: [...forward], times: [...times] }),
    save: () => ({ pairs: [...forward], times: [...times] }),
  }
}

/** `text` as a pattern that matches it alone. */
export const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
