// A gRPC agent for tests: every answer, and every way to fail, is the test's.
import { grpcMethods, statusKey, toWire } from '@a2a-kit/task-core/grpc-schema'
import type { StreamResponse } from '@a2a-kit/task-core/protocol'
import { Metadata, Server, ServerCredentials, type ServerWritableStream, status } from '@grpc/grpc-js'
import { onTestFinished } from 'vitest'

/** One call as it came, and the ways to answer it. */
export interface GrpcExchange {
  method: string
  metadata: Metadata
  /** The bytes of the request. */
  request: Buffer
  /** Answers with a message, given as ProtoJSON. */
  result(value: object): void
  /** Ends the call with a status; `details` are the bytes of grpc-status-details-bin. */
  fail(code: keyof typeof status, text?: string, details?: Uint8Array): void
  /** Begins the stream; `firstId` is its `last-event-id`. */
  begin(firstId?: string): void
  frame(event: StreamResponse): void
  end(): void
  /** Resolves when the client has cancelled, or the call has ended. */
  ended: Promise<void>
}

export interface FakeGrpcAgent {
  /** `host:port`. */
  target: string
  exchanges: GrpcExchange[]
  /** Drops every connection. */
  drop(): void
}

/** Starts an agent that is stopped when the test ends. `answer` is called for each call. */
export async function fakeGrpcAgent(answer: (exchange: GrpcExchange) => unknown): Promise<FakeGrpcAgent> {
  const exchanges: GrpcExchange[] = []
  const server = new Server()
  for (const [method, { path, reply, streams }] of grpcMethods) {
    const same = (bytes: Buffer) => bytes
    const definition = {
      path,
      requestStream: false,
      responseStream: streams,
      requestSerialize: same,
      requestDeserialize: same,
      responseSerialize: same,
      responseDeserialize: same,
    }
    type Respond = (error: object | null, value?: Buffer) => void
    const handler = (call: ServerWritableStream<Buffer, Buffer>, respond?: Respond) => {
      const { metadata, request } = call
      const exchange: GrpcExchange = {
        method,
        metadata,
        request,
        result: (value) => respond!(null, toWire(reply, value as never)),
        fail(code, details = '', bytes) {
          const trailers = new Metadata()
          if (bytes) trailers.set(statusKey, Buffer.from(bytes))
          const error = { code: status[code], details, metadata: trailers }
          if (respond) respond(error)
          else call.emit('error', error)
        },
        begin(firstId) {
          const head = new Metadata()
          if (firstId !== undefined) head.set('last-event-id', firstId)
          call.sendMetadata(head)
        },
        frame: (event) => void call.write(toWire(reply, event as never)),
        end: () => void call.end(),
        ended: new Promise((resolve) => call.once('cancelled', () => resolve())),
      }
      exchanges.push(exchange)
      answer(exchange)
    }
    server.addService({ [method]: definition }, { [method]: handler as never })
  }
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    ),
  )
  onTestFinished(() => server.forceShutdown())
  return { target: `127.0.0.1:${port}`, exchanges, drop: () => server.forceShutdown() }
}
