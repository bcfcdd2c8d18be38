// Carries calls to the operations: bytes to ProtoJSON, and JSON to bytes (§10.4). Holds no logic of its own.
import {
  type handleServerStreamingCall,
  type handleUnaryCall,
  Metadata,
  type ServerWritableStream,
} from '@grpc/grpc-js'
import type { Logger } from 'pino'
import {
  type Admit,
  type Call,
  type Frame,
  FrameReader,
  type Frames,
  failureOf,
  type Left,
  logFailure,
  type Streaming,
  type Unary,
} from '../operations/index.ts'
import { fromWire, type GrpcMethod, toWire } from '../protocol/grpc/index.ts'
import { A2AError } from '../protocol/index.ts'
import type { Settings } from '../settings.ts'
import { readTraceparent, type Telemetry, within } from '../telemetry/index.ts'
import type { AnyCall, OpenCalls } from './calls.ts'
import { statusOf } from './errors.ts'
import { serviceParameters } from './service-parameters.ts'

export interface HandlerOptions {
  method: GrpcMethod
  admit: Admit
  calls: OpenCalls
  statuses: Settings['grpcStatuses']
  log: Logger
  telemetry: Telemetry
}

type OutCall = ServerWritableStream<Buffer, Buffer>

/** What goes out with the answer or its error: the extensions that are active. */
type Out = Metadata

export function unaryHandler(operate: Unary, options: HandlerOptions): handleUnaryCall<Buffer, Buffer> {
  return inScope(options, async (call, respond) => {
    const out = new Metadata()
    try {
      const { params, admitted } = await take(call, out, options)
      const answer = await operate(params, admitted)
      const reply = write(options.method, answer)
      call.sendMetadata(out)
      respond(null, reply)
    } catch (error) {
      respond(failed(error, out, options))
    }
  })
}

/**
 * The metadata before the first message has `last-event-id`, the number of the event that it is as of; each later message
 * is the next event, so its number is one more. (SSE says them in `id:`, and a message of gRPC has no room for it.)
 */
export function streamingHandler(
  operate: Streaming,
  options: HandlerOptions,
): handleServerStreamingCall<Buffer, Buffer> {
  return inScope(options, async (call) => {
    const out = new Metadata()
    try {
      const { params, admitted } = await take(call, out, options)
      const { left } = admitted
      await sendFrames(call, await operate(params, admitted), { out, method: options.method, left })
      if (options.calls.stopping) {
        const why = 'The agent stops, and the task goes on: subscribe to it again.'
        throw new A2AError('UnavailableError', why)
      }
      call.end()
    } catch (error) {
      call.emit('error', failed(error, out, options))
    }
  })
}

/** `handle`, in the scope of the call that it is given. */
const inScope =
  <C extends AnyCall, A extends unknown[]>(
    { telemetry }: HandlerOptions,
    handle: (call: C, ...rest: A) => Promise<void>,
  ) =>
  (call: C, ...rest: A): void => {
    const [traceparent] = call.metadata.get('traceparent').map(String)
    const scope = { telemetry, binding: 'GRPC', trace: readTraceparent(traceparent) }
    void within(scope, () => handle(call, ...rest))
  }

/** Reads the request, once it is admitted. @throws A2AError as `admit` does, and ParseError */
async function take(
  call: AnyCall,
  out: Out,
  { method, admit, calls }: HandlerOptions,
): Promise<{ params: unknown; admitted: Call }> {
  const left = calls.begin(call)
  const { extensions, ...admitted } = await admit(serviceParameters(call.metadata, call.getPeer()), '1.0')
  if (extensions.length > 0) out.set('a2a-extensions', extensions.join(','))
  return { params: read(method, call.request), admitted: { ...admitted, left } }
}

function read({ request }: GrpcMethod, bytes: Buffer): unknown {
  try {
    return fromWire(request, bytes)
  } catch (error) {
    const why = (error as Error).message.slice(0, 200)
    throw new A2AError('ParseError', `The request is no ${request.name} that can be read: ${why}.`)
  }
}

/** The escapes of half characters; JSON escapes no whole one. */
const halves = /(?<=(?<!\\)(?:\\\\)*)\\ud[89a-f][\da-f]{2}/g

/** JSON can say half a character, such as a chunk of a text may end with; bytes cannot, and say U+FFFD. */
const write = ({ reply }: GrpcMethod, json: string): Buffer =>
  toWire(reply, JSON.parse(json.includes('\\ud') ? json.replace(halves, '\ufffd') : json))

interface StreamOptions {
  out: Out
  method: GrpcMethod
  left: Left
}

/** Resolves when the frames have ended. @throws what they fail with */
function sendFrames(call: OutCall, frames: Frames, options: StreamOptions): Promise<void> {
  const { left } = options
  const stream = new GrpcStream(call, frames, options)
  stream.resume()
  left.waits = frames
  if (left.gone) frames.close()
  return stream.over.promise
}

/** A reader that is slower than the task is waited for. */
class GrpcStream extends FrameReader {
  readonly over = Promise.withResolvers<void>()
  readonly #call: OutCall
  readonly #method: GrpcMethod
  /** What goes before the first frame; undefined when it has gone. */
  #out: Out | undefined

  constructor(call: OutCall, frames: Frames, { out, method }: StreamOptions) {
    super(frames)
    this.#call = call
    this.#method = method
    this.#out = out
  }

  protected send({ id, data }: Frame): boolean {
    if (this.#out) this.#begin(this.#out, id)
    if (this.#call.write(write(this.#method, data))) return true
    this.#call.once('drain', () => this.resume())
    return false
  }

  #begin(out: Out, id: string | undefined): void {
    if (id !== undefined) out.set('last-event-id', id)
    this.#call.sendMetadata(out)
    this.#out = undefined
  }

  protected end(failure?: unknown): void {
    if (failure === undefined) this.over.resolve()
    else this.over.reject(failure)
  }
}

function failed(cause: unknown, out: Out, { statuses, log }: HandlerOptions) {
  const error = failureOf(cause)
  logFailure(log, error, cause)
  return statusOf(error, statuses, out)
}
