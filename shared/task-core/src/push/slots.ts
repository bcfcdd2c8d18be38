// Bounds how many requests are under way at once; further ones wait, first come first served.

export function createSlots(most: number) {
  let free = most
  const waiting: (() => void)[] = []
  return async function within<T>(work: () => Promise<T>): Promise<T> {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}

/** `most` at once, of which at most `mostOfOne` have the same key: what is slow with one key leaves room for the others. */
export function createSlotsByKey(most: number, mostOfOne: number) {
  const all = createSlots(most)
  const lanes = new Map<string, { within: ReturnType<typeof createSlots>; users: number }>()
  return async function within<T>(key: string, work: () => Promise<T>): Promise<T> {
    const lane = lanes.get(key) ?? { within: createSlots(mostOfOne), users: 0 }
    lanes.set(key, lane)
    lane.users += 1
    try {
      return await lane.within(() => all(work))
    } finally {
      lane.users -= 1
      if (lane.users === 0) lanes.delete(key)
    }
  }
}
