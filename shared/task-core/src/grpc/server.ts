// The gRPC server of an agent (§10), on a port of its own: every operation that the protocol's service has.
import { isIPv6 } from 'node:net'
import { logVerbosity, Server, ServerCredentials, setLogVerbosity } from '@grpc/grpc-js'
import type { Logger } from 'pino'
import type { Admit, Operations, Streaming, Unary } from '../operations/index.ts'
import { grpcMethods } from '../protocol/grpc/index.ts'
import type { Settings } from '../settings.ts'
import type { Telemetry } from '../telemetry/index.ts'
import type { Tls } from '../tls.ts'
import { trackCalls } from './calls.ts'
import { streamingHandler, unaryHandler } from './handlers.ts'
import { answerTooLarge } from './too-large.ts'

// What fails here is answered and logged by us.
setLogVerbosity(logVerbosity.NONE)

/** How long a client that does not read may hold up a server that stops, in ms. */
const patience = 1000

/** How long a client may leave a ping unanswered before it counts as gone, in ms. */
const pingPatience = 20_000

export interface GrpcServerOptions {
  operations: Operations
  admit: Admit
  settings: Settings
  log: Logger
  /** Without, it speaks plain HTTP/2. */
  tls?: Tls | undefined
  telemetry: Telemetry
}

export interface GrpcServer {
  /** Resolves with the port; 0 takes a free one. @throws Error when it cannot listen */
  listen(host: string, port: number): Promise<number>
  /** Ends the calls with UNAVAILABLE, lets what is on its way arrive, and closes. */
  close(): Promise<void>
}

export function createGrpcServer({
  operations,
  admit,
  settings,
  log,
  telemetry,
  tls,
}: GrpcServerOptions): GrpcServer {
  const server = new Server({
    // Nothing of the protocol flows on a quiet stream, so pings of HTTP/2 keep it alive. They are the one limit: connections
    // may grow old, be idle, and be pinged by their clients as often as these like.
    'grpc.keepalive_time_ms': settings.heartbeat,
    'grpc.keepalive_timeout_ms': pingPatience,
    'grpc.max_receive_message_length': settings.maxBody,
    'grpc.max_send_message_length': -1,
    interceptors: [answerTooLarge],
  })
  const calls = trackCalls()
  const unary: Record<string, Unary> = operations.unary
  const streaming: Record<string, Streaming> = operations.streaming
  for (const [name, method] of grpcMethods) {
    const options = { method, admit, calls, statuses: settings.grpcStatuses, log, telemetry }
    const handler = method.streams
      ? streamingHandler(streaming[name]!, options)
      : unaryHandler(unary[name]!, options)
    server.addService({ [name]: bytesOnly(method.path, method.streams) }, { [name]: handler })
  }
  return {
    listen(host, port) {
      const address = `${isIPv6(host) ? `[${host}]` : host}:${port}`
      return new Promise((resolve, reject) => {
        server.bindAsync(address, credentialsOf(tls), (error, bound) => {
          if (error) reject(cannotListen(error, port))
          else resolve(bound)
        })
      })
    },
    close() {
      calls.stop()
      return new Promise((resolve) => {
        const late = setTimeout(() => {
          server.forceShutdown()
          resolve()
        }, patience)
        server.tryShutdown(() => {
          clearTimeout(late)
          resolve()
        })
      })
    },
  }
}

function credentialsOf(tls: Tls | undefined): ServerCredentials {
  if (!tls) return ServerCredentials.createInsecure()
  const pair = { cert_chain: Buffer.from(tls.cert), private_key: Buffer.from(tls.key) }
  return ServerCredentials.createSsl(null, [pair])
}

/** The library passes bytes on, so that what is wrong with them is answered in the protocol's own words. */
const bytesOnly = (path: string, responseStream: boolean) => {
  const same = (bytes: Buffer) => bytes
  return {
    path,
    requestStream: false,
    responseStream,
    requestSerialize: same,
    requestDeserialize: same,
    responseSerialize: same,
    responseDeserialize: same,
  }
}

/** The error has no code, only a text. */
function cannotListen(error: Error, port: number): Error {
  const inUse = error.message.includes('EADDRINUSE')
  return Object.assign(error, inUse && { code: 'EADDRINUSE', port, variable: 'GRPC_PORT' })
}
