// The errors of this side of the wire; what the agent itself answers is an A2AError.
import { A2AError } from '@a2a-kit/task-core/protocol'

/** The agent could not be reached, or the connection was lost before its reply was whole. `cause` is the network's error. */
export class ConnectionError extends Error {
  override readonly name: string = 'ConnectionError'
}

/** A stream was lost, fell silent or was closed before its task, question or message had been told to the end. */
export class StreamCutError extends ConnectionError {
  override readonly name = 'StreamCutError'
}

/** A reply that is not the protocol's: another HTTP status, or not JSON. The message has the start of its text. */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly status: number
  readonly retryAfterMs: number | undefined

  constructor(message: string, { status, retryAfterMs }: ReplyFacts) {
    super(message)
    this.status = status
    this.retryAfterMs = retryAfterMs
  }
}

/** What was found at the address is not the card of an agent that this client can talk to. */
export class CardError extends Error {
  override readonly name = 'CardError'
}

/** Every try failed; `cause` is the last error. */
export class GaveUpError extends Error {
  override readonly name = 'GaveUpError'
  readonly tries: number
  readonly elapsedMs: number

  constructor(
    what: string,
    { tries, elapsedMs, cause }: { tries: number; elapsedMs: number; cause: unknown },
  ) {
    const last = cause instanceof Error ? cause.message : String(cause)
    const count = tries === 1 ? '1 try' : `${tries} tries`
    super(`Gave up on ${what} after ${count} in ${(elapsedMs / 1000).toFixed(1)} s. ${last}`, { cause })
    this.tries = tries
    this.elapsedMs = elapsedMs
  }
}

/** What an HTTP reply says besides its body. It is the `cause` of each A2AError that an agent answered. */
export interface ReplyFacts {
  /** The HTTP status; over gRPC the one that its status corresponds to. */
  status: number
  /** The name of the gRPC status, over gRPC. */
  grpc?: string
  /** The JSON-RPC error code, over JSON-RPC. */
  code?: number
  /** What `Retry-After` asks for. */
  retryAfterMs?: number | undefined
  /** True for the refusal of a token that may be another one at the next try. */
  renews?: boolean
}

/** The HTTP status and `Retry-After` that came with `error`, if any did. */
export function factsOf(error: unknown): ReplyFacts | undefined {
  if (error instanceof HttpError) return error
  const cause = error instanceof Error ? error.cause : undefined
  return typeof cause === 'object' && cause !== null && 'status' in cause ? (cause as ReplyFacts) : undefined
}

export const isUnauthenticated = (error: unknown): error is A2AError =>
  error instanceof A2AError && error.name === 'UnauthenticatedError'

// 502 and 504 are a proxy's word for an agent that is away.
const passing = [429, 502, 503, 504]

/** True for what may be gone at the next try: the connection, too many requests, an agent that is away, a token that is renewed. */
export const isPassing = (error: unknown): boolean =>
  !(error instanceof GaveUpError) &&
  (error instanceof ConnectionError ||
    (error instanceof A2AError && error.name === 'UnavailableError') ||
    factsOf(error)?.renews === true ||
    passing.includes(factsOf(error)?.status ?? 0))
