// Errors over gRPC: a status, a text, and google.rpc details in the trailers (§5.4, §10.6).
import { Metadata, type StatusObject, status } from '@grpc/grpc-js'
import { statusKey, statusToWire } from '../protocol/grpc/index.ts'
import { A2AError, type ErrorName } from '../protocol/index.ts'
import type { Settings } from '../settings.ts'

/** Clients take trailers of 8 KiB, in which these are as base64; an error that echoes a long field would be lost as a whole. */
const most = { message: 1000, details: 4096 }

/** What 1.0.0 answered with UNIMPLEMENTED. */
const unimplementedIn100: ReadonlySet<ErrorName> = new Set([
  'PushNotificationNotSupportedError',
  'UnsupportedOperationError',
  'VersionNotSupportedError',
] as const)

/** The status that ends a call with `error`; `metadata` goes into the trailers as well. */
export function statusOf(
  error: A2AError,
  statuses: Settings['grpcStatuses'],
  metadata = new Metadata(),
): StatusObject {
  const name = statuses === '1.0.0' && unimplementedIn100.has(error.name) ? 'UNIMPLEMENTED' : error.row.grpc
  const code = status[name]
  // The library escapes the text, which fails for half a character.
  const message = error.message.slice(0, most.message).toWellFormed()
  metadata.set(statusKey, detailsOf(error, code, message))
  return { code, details: message, metadata }
}

function detailsOf(error: A2AError, code: number, message: string): Buffer {
  const whole = statusToWire(code, message, error.details())
  if (whole.length <= most.details) return whole
  return statusToWire(code, message, new A2AError(error.name, message).details())
}
