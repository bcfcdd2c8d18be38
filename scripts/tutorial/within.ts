// Waits, but not for ever.
import { setTimeout as pause } from 'node:timers/promises'

/** What `work` resolves with, or undefined after `ms`. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  const timer = new AbortController()
  try {
    return await Promise.race([work, pause(ms, undefined, timer).catch(() => undefined)])
  } finally {
    timer.abort()
  }
}
