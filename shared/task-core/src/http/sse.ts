// Sends the frames of a stream as Server-Sent Events: slower readers are waited for, quiet streams show signs of life.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Frame, FrameReader, type Frames, logFailure } from '../operations/index.ts'
import type { A2AError } from '../protocol/index.ts'
import { within } from '../telemetry/index.ts'
import { toA2AError } from './errors.ts'
import type { Beating, Heart } from './heart.ts'

/** How a binding writes what a stream says. */
export interface Envelope {
  /** A frame's JSON. */
  wrap(json: string): string
  /** What the frame says with which a stream fails. */
  failure(error: A2AError): string
  /** The type of the event that says so; none by default. */
  failureEvent?: string
}

export interface SseOptions {
  frames: Frames
  envelope: Envelope
  heart: Heart
}

/**
 * Begins the stream, and returns: it goes on until the frames have ended, the client has left, or the server stops. The handler ends
 * meanwhile, so that a stream holds nothing of it.
 */
export function sendFrames(request: FastifyRequest, reply: FastifyReply, options: SseOptions): void {
  const { left } = request
  const { frames, heart } = options
  reply.sse.keepAlive()
  reply.sse.sendHeaders()
  const stream = new SseStream(reply, options)
  heart.join(stream)
  stream.resume()
  left.waits = frames
  if (left.gone) frames.close()
}

/** Writes past `sse.send`, which makes two promises for each frame, and one that never settles when a client stalls and then leaves. */
class SseStream extends FrameReader implements Beating {
  readonly #reply: FastifyReply
  readonly #envelope: Envelope
  readonly #heart: Heart

  constructor(reply: FastifyReply, { frames, envelope, heart }: SseOptions) {
    super(frames)
    this.#reply = reply
    this.#envelope = envelope
    this.#heart = heart
  }

  protected send({ id, data }: Frame): boolean {
    const { raw } = this.#reply
    if (raw.destroyed) return false
    const lines = `data: ${this.#envelope.wrap(data)}\n\n`
    if (raw.write(id === undefined ? lines : `id: ${id}\n${lines}`)) return true
    raw.once('drain', () => this.resume())
    return false
  }

  /** One line and no blank line after it: some parsers turn a comment with a blank line into an empty event. */
  beat(): void {
    const { raw } = this.#reply
    if (!raw.writableNeedDrain) raw.write(':\n')
  }

  protected end(failure?: unknown): void {
    this.#heart.leave(this)
    if (failure !== undefined) this.#tell(failure)
    this.#reply.sse.close()
  }

  #tell(failure: unknown): void {
    const { request, log, raw } = this.#reply
    if (request.left.gone) return
    const error = toA2AError(failure)
    if (request.scope) within(request.scope, () => logFailure(log, error, failure))
    else logFailure(log, error, failure)
    const { failureEvent } = this.#envelope
    raw.write(`${failureEvent ? `event: ${failureEvent}\n` : ''}data: ${this.#envelope.failure(error)}\n\n`)
  }
}
