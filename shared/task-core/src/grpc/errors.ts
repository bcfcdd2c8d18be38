// Errors over gRPC: a status, a text, and google.rpc details in the trailers (§5.4, §10.6).
import { Metadata, type StatusObject, status } from '@grpc/grpc-js'
import { statusKey, statusToWire } from '../protocol/grpc/index.ts'
import { A2AError, type ErrorName } from '../protocol/index.ts'
import type { Settings } from '../settings.ts'

/** Clients take trailers of 8 KiB: the text in its escaped form, and the details as base64, a third longer than their bytes. */
const most = { text: 2000, details: 4096 }

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
  const message = shortened(error.message)
  metadata.set(statusKey, detailsOf(error, code, message))
  return { code, details: message, metadata }
}

/** As much of `text` as can be sent, without half a character, which cannot be escaped. */
function shortened(text: string): string {
  let length = Math.min(text.length, most.text)
  let short = text.slice(0, length).toWellFormed()
  while (encodeURI(short).length > most.text) {
    length = Math.floor(length * 0.8)
    short = text.slice(0, length).toWellFormed()
  }
  return short
}

/** All details, or only the reason, where an error that echoes what was sent has too many. */
function detailsOf(error: A2AError, code: number, message: string): Buffer {
  const bare = () => statusToWire(code, message, new A2AError(error.name, message).details())
  try {
    const whole = statusToWire(code, message, error.details())
    return whole.length <= most.details ? whole : bare()
  } catch {
    return bare() // bytes cannot say half a character
  }
}
