// What holds for every stream, whichever binding it came by: it takes one of its caller's places, and ends with the caller's token.
import type { World } from '../world.ts'
import type { Call } from './context.ts'
import type { Frames } from './frames.ts'
import type { Streaming } from './index.ts'
import type { Places } from './limits.ts'
import { invalidToken } from './unauthenticated.ts'

/** A timer cannot wait longer, in ms; a token that holds longer ends no stream. */
const longestTimer = 2 ** 31 - 1

/**
 * `operation`, whose streams take one of the caller's `places` until they have ended, whatever ended them.
 * A stream throws UnauthenticatedError when the caller's token expires, so that the client subscribes again with a new one.
 */
export function withinLimits(operation: Streaming, places: Places, world: World): Streaming {
  return async function limited(params, call) {
    const release = places(call.caller)
    try {
      const frames = await operation(params, call)
      failAtExpiry(frames, call, world)
      return frames.atEnd(release)
    } catch (error) {
      release()
      throw error
    }
  }
}

/** Lets the stream fail when the caller's token expires. Until then its timer would hold the agent: it goes with the stream. */
function failAtExpiry(frames: Frames, { caller: { expiresAt } }: Call, { now }: World): void {
  if (expiresAt === undefined) return
  const ms = expiresAt - now()
  if (ms > longestTimer) return
  const why = 'it has expired, and the stream with it; the task goes on: subscribe with a new one'
  const timer = setTimeout(() => frames.fail(invalidToken(why)), Math.max(0, Math.ceil(ms)))
  frames.atEnd(() => clearTimeout(timer))
}
