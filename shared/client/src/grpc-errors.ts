// What a gRPC status means for a caller (§5.4, §10.6): by ErrorInfo first, then by the status.
import { detailsFromWire, statusKey } from '@a2a-kit/task-core/grpc-schema'
import { A2AError } from '@a2a-kit/task-core/protocol'
import { type StatusObject, status as statuses } from '@grpc/grpc-js'
import { ConnectionError } from './errors.ts'
import { isObject } from './json.ts'
import { said } from './network-errors.ts'
import { errorOf } from './wire-errors.ts'

/** The HTTP statuses that stand for gRPC's, as google.rpc.Code has them. */
const http: { [grpc: string]: number } = {
  CANCELLED: 499,
  INVALID_ARGUMENT: 400,
  DEADLINE_EXCEEDED: 504,
  NOT_FOUND: 404,
  ALREADY_EXISTS: 409,
  PERMISSION_DENIED: 403,
  RESOURCE_EXHAUSTED: 429,
  FAILED_PRECONDITION: 400,
  ABORTED: 409,
  OUT_OF_RANGE: 400,
  UNIMPLEMENTED: 501,
  UNAVAILABLE: 503,
  UNAUTHENTICATED: 401,
}

/** The status 429 may pass; a message that is too large does not get smaller. Every gRPC library says it with these words. */
const tooLarge = /larger than|exceeds maximum/

/** How the library says that it met no HTTP/2, or HTTP without gRPC; some HTTP statuses have the same meaning for gRPC. */
const noGrpc =
  /Last error: (Protocol error|Parse Error)|^Received HTTP status code (?!401|403|429|502|503|504)/

/** How it says that a call ended well, and without its answer. */
const empty = /^No message received/

/** The texts with which the library tells that a call broke off on its way. */
const broke = /^Received RST_STREAM|^Connection dropped|^Call ended without gRPC status/

/**
 * The error to throw for the status with which a call to `host` ended, or for any other error that came instead. Details
 * that are missing, malformed or another domain's are passed over.
 */
export function grpcError(error: unknown, host: string): unknown {
  if (!isStatus(error)) return error
  const { code, details: message } = error
  const grpc = statuses[code] ?? 'UNKNOWN'
  const details = error.metadata
    .get(statusKey)
    .flatMap((value) => (typeof value === 'string' ? [] : detailsFromWire(value)))
  if (details.length === 0) {
    const invalid = (why: string) =>
      Object.assign(new A2AError('InvalidAgentResponseError', why), { cause: error })
    if (noGrpc.test(message)) return invalid(`What ${host} answers is not gRPC; check the address.`)
    if (empty.test(message)) return invalid(`${host} ended the call without an answer.`)
    const away = whyAway(grpc, message)
    if (away !== undefined) return new ConnectionError(`No answer from ${host}: ${away}.`, { cause: error })
  }
  const isTooLarge = grpc === 'RESOURCE_EXHAUSTED' && tooLarge.test(message)
  const status = isTooLarge ? 413 : (http[grpc] ?? 500)
  return errorOf({ status: grpc, message, details }, { status, grpc }, host)
}

/** Why the agent may be away, if that is what the status says. The library packs the network's error into its text. */
function whyAway(grpc: string, message: string): string | undefined {
  if (grpc === 'DEADLINE_EXCEEDED') return 'none came in time'
  if (grpc !== 'UNAVAILABLE' && grpc !== 'CANCELLED' && !broke.test(message)) return undefined
  const [code] = /\bE[A-Z]+(_[A-Z]+)?\b/.exec(message) ?? []
  const reason = message.replace(/ ?Resolution note:.*/s, '').replace(/\.$/, '')
  return said({ code, message: reason || `it said ${grpc} and no reason` })
}

const isStatus = (error: unknown): error is StatusObject =>
  isObject(error) &&
  typeof error.code === 'number' &&
  typeof error.details === 'string' &&
  'metadata' in error
