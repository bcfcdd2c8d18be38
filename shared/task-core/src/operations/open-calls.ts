// What holds for every stream, whichever binding it came by: it takes one of its caller's places, and ends with the caller's token.
import type { World } from '../world.ts'
import type { Call, Frames } from './context.ts'
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
    const expiry = expiryOf(call, world)
    const end = () => {
      release()
      expiry?.forget()
    }
    try {
      const signal = expiry ? AbortSignal.any([call.signal, expiry.expired]) : call.signal
      const frames = await operation(params, { ...call, signal })
      // Not at the end of the frames, since nobody may read that far: a binding aborts the signal after every stream.
      call.signal.addEventListener('abort', end, { once: true })
      if (call.signal.aborted) end()
      return expiry ? untilExpiry(frames, expiry.expired) : frames
    } catch (error) {
      end()
      throw error
    }
  }
}

/** A signal that aborts when the caller's token expires. Unless it is forgotten, its timer holds the call and its agent until then. */
function expiryOf({ caller: { expiresAt } }: Call, { now }: World) {
  if (expiresAt === undefined) return undefined
  const ms = expiresAt - now()
  if (ms > longestTimer) return undefined
  const expiring = new AbortController()
  const timer = setTimeout(() => expiring.abort(), Math.max(0, Math.ceil(ms)))
  return { expired: expiring.signal, forget: () => clearTimeout(timer) }
}

async function* untilExpiry(frames: Frames, expired: AbortSignal): Frames {
  let told = false
  for await (const frame of frames) {
    yield frame
    told = frame.last ?? false
  }
  if (expired.aborted && !told) {
    throw invalidToken('it has expired, and the stream with it; the task goes on: subscribe with a new one')
  }
}
