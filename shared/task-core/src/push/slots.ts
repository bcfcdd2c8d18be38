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
