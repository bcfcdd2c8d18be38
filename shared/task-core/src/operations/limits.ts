// How much one caller may do: rates by a limiter in memory, and places for calls that stay open.
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { A2AError } from '../protocol/index.ts'
import { outside } from '../telemetry/index.ts'
import type { Caller } from './context.ts'

export type Rate = ReturnType<typeof createRate>

/** For whom a call is counted: the caller, or the network of one that cannot be told apart. */
export const countedAs = ({ id, network }: Caller): string => (network === undefined ? id : `from ${network}`)

/**
 * At most `most` of `what` in `seconds`, for each key; 0 is no limit. A key is forgotten when its seconds are over, so that callers who
 * came once leave nothing behind.
 */
export function createRate(what: string, most: number, seconds: 1 | 60) {
  const limiter = most > 0 ? new RateLimiterMemory({ points: most, duration: seconds }) : undefined
  const refused = (ms: number): A2AError => {
    const retryAfter = Math.max(1, Math.ceil(ms / 1000))
    const per = seconds === 1 ? 'second' : 'minute'
    const why = `Too many ${what}: this agent takes ${most} a ${per}. Try again in ${retryAfter} s.`
    return new A2AError('TooManyRequestsError', why, { metadata: { limit: what }, retryAfter })
  }
  return {
    /** Counts one. @throws A2AError TooManyRequestsError */
    async take(key: string): Promise<void> {
      if (!limiter) return
      // In no scope: the timer that forgets the key would hold the request's, and with it an agent that has closed.
      await outside(() => limiter.consume(key)).catch(({ msBeforeNext }: RateLimiterRes) => {
        throw refused(msBeforeNext)
      })
    },
    /** Counts none. @throws A2AError TooManyRequestsError where all were taken */
    async check(key: string): Promise<void> {
      const taken = await limiter?.get(key)
      if (taken && taken.consumedPoints >= most) throw refused(taken.msBeforeNext)
    },
  }
}

export type Places = ReturnType<typeof createPlaces>

/** At most `most` calls of one caller that stay open at once, streams and blocking waits together; 0 is no limit. */
export function createPlaces(most: number) {
  const taken = new Map<string, number>()
  /** @returns a function that gives the place back, once however often it is called. @throws A2AError TooManyRequestsError */
  return function take(caller: Caller): () => void {
    const key = countedAs(caller)
    const before = taken.get(key) ?? 0
    if (most > 0 && before >= most) {
      const why = `Too many open calls: this agent keeps ${most} streams and blocking calls open for one caller. End one, or send with returnImmediately and ask with GetTask.`
      throw new A2AError('TooManyRequestsError', why, { metadata: { limit: 'open calls' } })
    }
    taken.set(key, before + 1)
    let given = false
    return () => {
      if (given) return
      given = true
      const left = taken.get(key)! - 1
      if (left === 0) taken.delete(key)
      else taken.set(key, left)
    }
  }
}
