// From an error on the wire to an A2AError: by reason first, then by code, then by HTTP status (§5.4, §9.5, §11.6).
import { A2AError, type ErrorName, errorTable, type FieldViolation } from '@a2a-kit/task-core/protocol'
import { HttpError, type ReplyFacts } from './errors.ts'
import { isObject, strings } from './json.ts'

/** The `error` member of a JSON-RPC response, or of an HTTP+JSON error. */
export interface WireError {
  /** The JSON-RPC code, where the error has one. */
  code?: unknown
  /** The name of the gRPC status, over HTTP+JSON and gRPC. */
  status?: unknown
  message?: unknown
  /** google.rpc details: ErrorInfo, BadRequest, RetryInfo. */
  details: unknown
}

// What is left where neither reason nor code says more. Six errors share 400 FAILED_PRECONDITION; this is the widest.
const byStatus: { [status: string]: ErrorName } = {
  '400': 'InvalidParamsError',
  '400 FAILED_PRECONDITION': 'UnsupportedOperationError',
  '404': 'TaskNotFoundError',
  '404 UNIMPLEMENTED': 'MethodNotFoundError',
  '405': 'MethodNotAllowedError',
  '413': 'PayloadTooLargeError',
  '415': 'UnsupportedMediaTypeError',
  '500': 'InternalError',
  '501': 'UnsupportedOperationError',
  '503': 'UnavailableError',
}

type Row = (typeof errorTable)[ErrorName]

/** The error that `matches`; of several, the one with this HTTP status, else the first. */
function find(status: number, matches: (row: Row) => boolean): ErrorName | undefined {
  const names = (Object.keys(errorTable) as ErrorName[]).filter((name) => matches(errorTable[name]))
  return names.find((name) => errorTable[name].http === status) ?? names[0]
}

const detailOf = (details: unknown, type: string): Record<string, unknown> | undefined =>
  (Array.isArray(details) ? details : [])
    .filter(isObject)
    .find((detail) => detail['@type'] === `type.googleapis.com/google.rpc.${type}`)

/** Only a string says something: an object could have a `toString` of its own that is no function. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const violationsOf = (details: unknown): FieldViolation[] => {
  const violations = detailOf(details, 'BadRequest')?.fieldViolations
  return (Array.isArray(violations) ? violations : [])
    .filter(isObject)
    .map(({ field, description }) => ({ field: textOf(field), description: textOf(description) }))
}

/** What RetryInfo asks for, in ms: the way to say it where there is no `Retry-After`. */
function retryDelayOf(details: unknown): number | undefined {
  const delay = detailOf(details, 'RetryInfo')?.retryDelay
  const [, seconds] = /^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(typeof delay === 'string' ? delay : '') ?? []
  return seconds === undefined ? undefined : Number(seconds) * 1000
}

/**
 * The error to throw for what the agent at `host` answered: an A2AError, or an HttpError for a status that is none of
 * the protocol's, such as 401. Details that are missing, malformed or another domain's are passed over.
 */
export function errorOf(wire: WireError, facts: ReplyFacts, host: string): A2AError | HttpError {
  const { status, retryAfterMs = retryDelayOf(wire.details) } = facts
  const info = detailOf(wire.details, 'ErrorInfo')
  const reason = info?.domain === 'a2a-protocol.org' ? info.reason : undefined
  const name =
    find(status, (row) => row.reason === reason) ??
    find(status, (row) => row.code === wire.code) ??
    byStatus[`${status} ${textOf(wire.status)}`] ??
    byStatus[status] ??
    (status < 300 ? 'InternalError' : undefined)
  const message =
    typeof wire.message === 'string' && wire.message !== '' ? wire.message : 'The agent gave no reason.'
  if (!name) {
    const what = facts.grpc ? `gRPC ${facts.grpc}` : `HTTP ${status}`
    return new HttpError(`${host} answered ${what}: ${message}`, facts)
  }

  const error = new A2AError(name, message, {
    metadata: reason === undefined ? {} : strings(info?.metadata),
    violations: violationsOf(wire.details),
  })
  const cause: ReplyFacts = {
    status,
    retryAfterMs,
    ...(facts.grpc !== undefined && { grpc: facts.grpc }),
    ...(typeof wire.code === 'number' && { code: wire.code }),
  }
  error.cause = cause
  return error
}
