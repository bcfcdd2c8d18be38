// Waiting between tries: exponential, with jitter, bounded by their number and by time.
import { setTimeout as delay } from 'node:timers/promises'
import { factsOf, GaveUpError, isPassing } from './errors.ts'

/** Time and chance, so that tests can bring their own. */
export interface World {
  /** Milliseconds since any fixed point. */
  now(): number
  /** From 0 up to 1. */
  random(): number
  /** Rejects with the signal's reason when it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export const realWorld: World = {
  now: () => performance.now(),
  random: Math.random,
  async sleep(ms, signal) {
    await delay(ms, undefined, signal && { signal }).catch(() => signal?.throwIfAborted())
  },
}

/** Times in ms. */
export interface RetryPolicy {
  /** Tries in a row that fail, the first one counted. */
  attempts: number
  /** From the first failure on. */
  totalMs: number
  /** The first pause is about this long; each later one twice as long. */
  firstMs: number
  /** The longest pause. */
  longestMs: number
}

export const defaultRetry: RetryPolicy = { attempts: 12, totalMs: 60_000, firstMs: 200, longestMs: 5_000 }

export interface Patience {
  world: World
  retry: RetryPolicy
}

/** Counts what goes wrong in a row and pauses longer each time. `what` is named in the error when it gives up. */
export function backoff(what: string, { world, retry }: Patience) {
  let failures = 0
  let since = 0
  const next = () => {
    const cap = Math.min(retry.longestMs, retry.firstMs * 2 ** (failures - 1))
    return cap * (0.5 + world.random() / 2)
  }
  return {
    /** What is tried goes well again. */
    reset() {
      failures = 0
    },
    /** Pauses, however often. */
    async pause(signal?: AbortSignal) {
      failures++
      await world.sleep(next(), signal)
    },
    /**
     * Pauses after `error`, at least for as long as its `Retry-After` says.
     * @throws GaveUpError when the tries or the time are used up
     */
    async failed(error: unknown, signal?: AbortSignal) {
      if (++failures === 1) since = world.now()
      const elapsedMs = world.now() - since
      const ms = Math.max(next(), factsOf(error)?.retryAfterMs ?? 0)
      if (failures >= retry.attempts || elapsedMs + ms > retry.totalMs) {
        throw new GaveUpError(what, { tries: failures, elapsedMs, cause: error })
      }
      await world.sleep(ms, signal)
    },
  }
}

/**
 * Does `work` again while its error may pass (connection, 429, 503); any other error is thrown at once.
 * `work` is told which try it is, from 1.
 */
export async function retrying<T>(
  what: string,
  patience: Patience,
  signal: AbortSignal | undefined,
  work: (attempt: number) => Promise<T>,
): Promise<T> {
  const tries = backoff(what, patience)
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt)
    } catch (error) {
      signal?.throwIfAborted()
      if (!isPassing(error)) throw error
      await tries.failed(error, signal)
    }
  }
}
