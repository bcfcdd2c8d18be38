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

/** At most `most` with the same key at once. */
function createLanes(most: number) {
  const lanes = new Map<string, { within: ReturnType<typeof createSlots>; users: number }>()
  return async function within<T>(key: string, work: () => Promise<T>): Promise<T> {
    const lane = lanes.get(key) ?? { within: createSlots(most), users: 0 }
    lanes.set(key, lane)
    lane.users += 1
    try {
      return await lane.within(work)
    } finally {
      lane.users -= 1
      if (lane.users === 0) lanes.delete(key)
    }
  }
}

export interface MostAtOnce {
  all: number
  ofCaller: number
  /** Of one caller to one host. */
  ofHost: number
}

/** What is slow at one host leaves room for other hosts, and one caller with many such hosts leaves room for other callers. */
export function createPushSlots({ all, ofCaller, ofHost }: MostAtOnce) {
  const slots = createSlots(all)
  const callers = createLanes(ofCaller)
  const hosts = createLanes(ofHost)
  // The host's lane is the caller's own, and comes first: who waits there holds no place that others could use.
  return <T>(caller: string, host: string, work: () => Promise<T>): Promise<T> =>
    hosts(`${caller}\n${host}`, () => callers(caller, () => slots(work)))
}
