// Titles of tests for the page: the cases of a parametrised test become one title, with `…` where they differ.

/** A title without the binding of its case. */
const withoutBinding = (title: string): string =>
  title.replace(/^over (JSONRPC|HTTP\+JSON|GRPC):? /, '').replace(/ over (JSONRPC|HTTP\+JSON|GRPC)\b/, '')

interface Family {
  first: readonly string[]
  /** The words that all of them begin and end with. */
  start: number
  end: number
  differ: boolean
}

const sharedStart = (one: readonly string[], other: readonly string[]): number => {
  const differs = one.findIndex((word, index) => word !== other[index])
  return differs < 0 ? one.length : differs
}

/** One title for each test among `titles`, in order: two that share half of their words are cases of one. */
export function familiesOf(titles: readonly string[]): string[] {
  const families: Family[] = []
  for (const words of titles.map((title) => withoutBinding(title).split(' '))) {
    const shortest = ({ first }: Family) => Math.min(first.length, words.length)
    const startWith = ({ first }: Family) => sharedStart(first, words)
    const endWith = (family: Family) =>
      Math.min(
        sharedStart(family.first.toReversed(), words.toReversed()),
        shortest(family) - startWith(family),
      )
    const family = families.find((one) => startWith(one) + endWith(one) >= shortest(one) / 2)
    if (!family) {
      families.push({ first: words, start: words.length, end: 0, differ: false })
    } else if (words.join(' ') !== family.first.join(' ')) {
      family.end = family.differ ? Math.min(family.end, endWith(family)) : endWith(family)
      family.start = Math.min(family.start, startWith(family))
      family.differ = true
    }
  }
  return families.map(({ first, start, end, differ }) =>
    differ ? [...first.slice(0, start), '…', ...first.slice(first.length - end)].join(' ') : first.join(' '),
  )
}
