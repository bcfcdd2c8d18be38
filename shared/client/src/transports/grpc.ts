// The gRPC binding: ProtoJSON as protobuf over HTTP/2, errors as a status (§10).
import { fromWire, type GrpcMethod, grpcMethods, toWire } from '@a2a-kit/task-core/grpc-schema'
import { A2AError } from '@a2a-kit/task-core/protocol'
import { Client, type ClientReadableStream, type ClientUnaryCall, credentials, Metadata } from '@grpc/grpc-js'
import { ConnectionError } from '../errors.ts'
import { grpcAddress } from '../grpc-address.ts'
import { grpcError } from '../grpc-errors.ts'
import { readers, readFrame } from '../shapes.ts'
import { untilEnd } from '../stream.ts'
import {
  type CallOptions,
  headersOf,
  type Limits,
  type Method,
  replyLimit,
  type StreamEvent,
  type Transport,
} from '../transport.ts'

const channelOptions = {
  'grpc.max_receive_message_length': -1,
  // Tries and their pauses are the client's own matter, and so is the proxy, which no other binding here takes.
  'grpc.enable_retries': 0,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1000,
  'grpc.service_config_disable_resolution': 1,
  'grpc.enable_http_proxy': 0,
}

/**
 * `idleMs` becomes HTTP/2 pings, since a quiet stream carries nothing: after so long a silence the agent is asked, and has as
 * long to answer. An agent that forbids pings, as most libraries do by default, closes the connection, is pinged half as often
 * from then on, and `watch` goes on. So calls that answer once have a connection of their own without pings: a message whose
 * answer takes long would be cut there, and sent again.
 */
const streamOptions = ({ idleMs }: Limits) => ({
  ...channelOptions,
  ...(idleMs > 0 && { 'grpc.keepalive_time_ms': idleMs, 'grpc.keepalive_timeout_ms': idleMs }),
})

const same = (bytes: Buffer) => bytes

export function grpcTransport(url: string, limits: Limits): Transport {
  const { target: host, secure } = grpcAddress(url)!
  const trust = secure ? credentials.createSsl() : credentials.createInsecure()
  const client = new Client(host, trust, channelOptions)
  const streams = new Client(host, trust, streamOptions(limits))

  return {
    async call(method, request, options) {
      const { path, bytes, metadata, type } = outgoing(method, request, options)
      const limitMs = replyLimit(method, request, limits)
      const deadline = limitMs > 0 ? { deadline: Date.now() + limitMs } : {}
      return new Promise((resolve, reject) => {
        const call = client.makeUnaryRequest(path, same, same, bytes, metadata, deadline, (error, reply) => {
          release()
          if (options.signal?.aborted) return reject(options.signal.reason)
          if (error) return reject(grpcError(error, host))
          try {
            resolve(readers[method](read(type.reply, reply!, host)))
          } catch (problem) {
            reject(problem)
          }
        })
        const release = cancelBy(call, options.signal)
      })
    },
    async open(method, request, options) {
      const { path, bytes, metadata, type } = outgoing(method, request, options)
      const call = streams.makeServerStreamRequest(path, same, same, bytes, metadata)
      const stream = streamOf(call, { host, type, signal: options.signal })
      // Most libraries send nothing before the first event, and that may take as long as an answer: to give up is to send again.
      const limitMs = method === 'SendStreamingMessage' ? limits.blockingMs : limits.replyMs
      const firstId = await stream.begun(limitMs)
      return untilEnd(stream.events(firstId), host)
    },
  }
}

/** @throws the signal's reason when it has aborted; A2AError InvalidParamsError */
function outgoing(method: Method, request: object, options: CallOptions) {
  options.signal?.throwIfAborted()
  const type = grpcMethods.get(method)!
  const metadata = new Metadata()
  for (const [name, value] of Object.entries(headersOf(options))) metadata.set(name, value)
  return { type, path: type.path, bytes: written(type.request, request), metadata }
}

/** As JSON first, so that what JSON leaves out or writes in its own way, such as undefined and dates, is here as over the other bindings. */
function written(type: GrpcMethod['request'], request: object): Buffer {
  const json = JSON.parse(JSON.stringify(request))
  try {
    return toWire(type, json)
  } catch (cause) {
    const why = `Invalid parameters: this is no ${type.name} that can be sent: ${(cause as Error).message}.`
    throw Object.assign(new A2AError('InvalidParamsError', why), { cause })
  }
}

function read(type: GrpcMethod['reply'], bytes: Buffer, host: string): unknown {
  try {
    return fromWire(type, bytes)
  } catch (cause) {
    const why = `${host} sent no ${type.name} that can be read.`
    throw Object.assign(new A2AError('InvalidAgentResponseError', why), { cause })
  }
}

/** Cancels the call when `signal` aborts. @returns a function that ends that */
function cancelBy(call: Pick<ClientUnaryCall, 'cancel'>, signal: AbortSignal | undefined): () => void {
  const cancel = () => call.cancel()
  signal?.addEventListener('abort', cancel, { once: true })
  return () => signal?.removeEventListener('abort', cancel)
}

interface StreamOptions {
  host: string
  type: GrpcMethod
  signal: AbortSignal | undefined
}

function streamOf(call: ClientReadableStream<Buffer>, { host, type, signal }: StreamOptions) {
  let failure: unknown
  const release = cancelBy(call, signal)
  // May come at any time, also when nobody listens yet or any more.
  call.on('error', (error) => {
    failure = error
    release()
  })
  // Until something is asked for, the library takes in all that comes.
  call.read(0)
  const reason = () => (signal?.aborted ? signal.reason : grpcError(failure, host))

  return {
    /** Resolves with the number of the first event, where the agent says it, once the stream has begun. */
    begun(limitMs: number): Promise<number | undefined> {
      return new Promise((resolve, reject) => {
        const giveUp = () => {
          reject(new ConnectionError(`No answer from ${host}: none began within ${limitMs / 1000} s.`))
          call.cancel()
        }
        const timer = limitMs > 0 ? setTimeout(giveUp, limitMs) : undefined
        call.once('metadata', (metadata) => {
          clearTimeout(timer)
          const id = Number(metadata.get('last-event-id')[0])
          resolve(Number.isSafeInteger(id) && id > 0 ? id : undefined)
        })
        call.once('status', () => {
          clearTimeout(timer)
          if (failure) reject(reason())
          else resolve(undefined) // an empty stream
        })
      })
    },
    async *events(firstId: number | undefined): AsyncGenerator<StreamEvent> {
      let id = firstId
      try {
        for await (const bytes of call) {
          const event = readFrame(read(type.reply, bytes, host))
          yield id === undefined ? { event } : { event, eventId: String(id++) }
        }
      } catch (error) {
        // The iteration throws what `failure` is, or what the reader of the frames found.
        if (error !== failure) throw error
      } finally {
        release()
        call.cancel()
      }
      if (failure === undefined) return
      const error = reason()
      if (!(error instanceof A2AError) || error.name !== 'UnavailableError') throw error
      throw new ConnectionError(error.message, { cause: error })
    },
  }
}
