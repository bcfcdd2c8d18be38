// Sends the frames of a stream as Server-Sent Events: slower readers are waited for, quiet streams show signs of life.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Frame, type Frames, logFailure } from '../operations/index.ts'
import { toA2AError } from './errors.ts'

export interface SseOptions {
  /** How a frame's JSON is wrapped by the binding. */
  wrap: (json: string) => string
  /** How the binding says in a frame that the stream has failed. */
  failure: (error: unknown) => string
  /** The type of the event that says so; none by default. */
  failureEvent?: string
  /** Milliseconds between comment lines. */
  heartbeat: number
  /** Aborted when the client leaves. */
  left: AbortController
}

/** Resolves when the stream has ended, the client has left, or the server stops (`left` is aborted then). */
export async function sendFrames(
  request: FastifyRequest,
  reply: FastifyReply,
  frames: Frames,
  { wrap, failure, failureEvent, heartbeat, left }: SseOptions,
): Promise<void> {
  const { sse } = reply
  const gone = new Promise<void>((resolve) => {
    left.signal.addEventListener('abort', () => resolve(), { once: true })
  })
  // One line and no blank line after it: some parsers turn a comment with a blank line into an empty event.
  const beat = setInterval(() => {
    if (!reply.raw.writableNeedDrain) reply.raw.write(':\n')
  }, heartbeat)

  /** A send to a client that stalls and then leaves never settles by itself. */
  const send = (frame: Frame & { event?: string }): Promise<void> => Promise.race([sse.send(frame), gone])

  try {
    sse.sendHeaders()
    for await (const { id, data } of frames) {
      await send(id === undefined ? { data: wrap(data) } : { id, data: wrap(data) })
      if (left.signal.aborted) break
    }
  } catch (error) {
    if (left.signal.aborted) return
    const failed = toA2AError(error)
    logFailure(request.log, failed, error)
    await send({ data: failure(failed), ...(failureEvent && { event: failureEvent }) })
  } finally {
    clearInterval(beat)
    left.abort()
  }
}
