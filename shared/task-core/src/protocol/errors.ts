// The one table of errors: name, JSON-RPC code, HTTP status, gRPC status, reason (§5.4, §9.5, §11.6).

/** `code` is JSON-RPC's, `grpc` the name of the gRPC status, which is also `error.status` over HTTP+JSON. */
export const errorTable = {
  TaskNotFoundError: { code: -32001, http: 404, grpc: 'NOT_FOUND', reason: 'TASK_NOT_FOUND' },
  TaskNotCancelableError: {
    code: -32002,
    http: 400,
    grpc: 'FAILED_PRECONDITION',
    reason: 'TASK_NOT_CANCELABLE',
  },
  PushNotificationNotSupportedError: {
    code: -32003,
    http: 400,
    grpc: 'FAILED_PRECONDITION',
    reason: 'PUSH_NOTIFICATION_NOT_SUPPORTED',
  },
  UnsupportedOperationError: {
    code: -32004,
    http: 400,
    grpc: 'FAILED_PRECONDITION',
    reason: 'UNSUPPORTED_OPERATION',
  },
  ContentTypeNotSupportedError: {
    code: -32005,
    http: 400,
    grpc: 'INVALID_ARGUMENT',
    reason: 'CONTENT_TYPE_NOT_SUPPORTED',
  },
  InvalidAgentResponseError: { code: -32006, http: 500, grpc: 'INTERNAL', reason: 'INVALID_AGENT_RESPONSE' },
  ExtendedAgentCardNotConfiguredError: {
    code: -32007,
    http: 400,
    grpc: 'FAILED_PRECONDITION',
    reason: 'EXTENDED_AGENT_CARD_NOT_CONFIGURED',
  },
  ExtensionSupportRequiredError: {
    code: -32008,
    http: 400,
    grpc: 'FAILED_PRECONDITION',
    reason: 'EXTENSION_SUPPORT_REQUIRED',
  },
  VersionNotSupportedError: {
    code: -32009,
    http: 400,
    grpc: 'FAILED_PRECONDITION',
    reason: 'VERSION_NOT_SUPPORTED',
  },
  // Not A2A's own, but what JSON-RPC 2.0 and HTTP need besides.
  ParseError: { code: -32700, http: 400, grpc: 'INVALID_ARGUMENT', reason: 'PARSE_ERROR' },
  InvalidRequestError: { code: -32600, http: 400, grpc: 'INVALID_ARGUMENT', reason: 'INVALID_REQUEST' },
  MethodNotFoundError: { code: -32601, http: 404, grpc: 'UNIMPLEMENTED', reason: 'METHOD_NOT_FOUND' },
  InvalidParamsError: { code: -32602, http: 400, grpc: 'INVALID_ARGUMENT', reason: 'INVALID_PARAMS' },
  InternalError: { code: -32603, http: 500, grpc: 'INTERNAL', reason: 'INTERNAL_ERROR' },
  MethodNotAllowedError: { code: -32600, http: 405, grpc: 'UNIMPLEMENTED', reason: 'METHOD_NOT_ALLOWED' },
  WrongHostError: { code: -32600, http: 421, grpc: 'INVALID_ARGUMENT', reason: 'WRONG_HOST' },
  PayloadTooLargeError: { code: -32600, http: 413, grpc: 'RESOURCE_EXHAUSTED', reason: 'PAYLOAD_TOO_LARGE' },
  UnsupportedMediaTypeError: {
    code: -32005,
    http: 415,
    grpc: 'INVALID_ARGUMENT',
    reason: 'CONTENT_TYPE_NOT_SUPPORTED',
  },
  UnauthenticatedError: { code: -32600, http: 401, grpc: 'UNAUTHENTICATED', reason: 'UNAUTHENTICATED' },
  TooManyRequestsError: { code: -32600, http: 429, grpc: 'RESOURCE_EXHAUSTED', reason: 'TOO_MANY_REQUESTS' },
  UnavailableError: { code: -32603, http: 503, grpc: 'UNAVAILABLE', reason: 'UNAVAILABLE' },
} as const

export type ErrorName = keyof typeof errorTable

/** One field at fault, by its path in JSON names, such as `message.parts[0].raw` (google.rpc.BadRequest). */
export interface FieldViolation {
  field: string
  description: string
}

export interface ErrorOptions {
  /** Strings for ErrorInfo's `metadata`, such as `{ taskId }`. */
  metadata?: Record<string, string>
  violations?: FieldViolation[]
  /** Whole seconds after which the same request may be taken (google.rpc.RetryInfo); only where time helps. */
  retryAfter?: number
}

/**
 * An error of the protocol, on either side of the wire: what a server answers and what a client throws.
 * The message is for the reader: what was wrong, where, and what to do.
 */
export class A2AError extends Error {
  override readonly name: ErrorName
  readonly metadata: Record<string, string>
  readonly violations: FieldViolation[]
  readonly retryAfter: number | undefined

  constructor(
    name: ErrorName,
    message: string,
    { metadata = {}, violations = [], retryAfter }: ErrorOptions = {},
  ) {
    super(message)
    this.name = name
    this.metadata = metadata
    this.violations = violations
    this.retryAfter = retryAfter
  }

  /** The error's row in the table. */
  get row(): (typeof errorTable)[ErrorName] {
    return errorTable[this.name]
  }

  /** The google.rpc details that every binding sends: ErrorInfo, BadRequest where a field is at fault, RetryInfo where time helps. */
  details(): object[] {
    const info: Record<string, unknown> = {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: this.row.reason,
      domain: 'a2a-protocol.org',
    }
    if (Object.keys(this.metadata).length > 0) info.metadata = this.metadata
    const bad = { '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: this.violations }
    const retry = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${this.retryAfter}s` }
    return [
      info,
      ...(this.violations.length > 0 ? [bad] : []),
      ...(this.retryAfter === undefined ? [] : [retry]),
    ]
  }
}

/** InvalidParamsError for one field: `field` is its path in JSON names. */
export const invalid = (field: string, description: string): A2AError =>
  new A2AError('InvalidParamsError', `Invalid parameters: ${field} ${description}`, {
    violations: [{ field, description }],
  })
