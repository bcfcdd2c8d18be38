// What a call that failed answers, whichever binding it came by, and what the log hears of it.
import { A2AError } from '../protocol/index.ts'
import { StoreError } from '../store/index.ts'
import { activeScope } from '../telemetry/index.ts'

/** `error` as one of the protocol's. What is not meant for the client, such as a bug, becomes InternalError without its text. */
export function failureOf(error: unknown): A2AError {
  if (error instanceof A2AError) return error
  if (error instanceof StoreError) {
    // Clients try that again by themselves: the same message is known again.
    const failed = new A2AError('UnavailableError', 'The agent could not store this. Try again.')
    failed.cause = error
    return failed
  }
  return new A2AError('InternalError', 'The agent failed to answer. Its log has the reason.')
}

interface Log {
  debug(facts: object, text: string): void
  info(text: string): void
  error(facts: object, text: string): void
}

/** Counts a request that was refused for `reason`, one of few; at level debug the log says so. */
export function logRefusal(log: Pick<Log, 'debug'>, reason: string): void {
  const binding = countRefusal(reason)
  log.debug({ reason, binding }, 'A request was refused.')
}

function countRefusal(reason: string): string {
  const { binding = 'none', telemetry } = activeScope() ?? {}
  telemetry?.metrics?.refused(reason, binding)
  return binding
}

/** Counts a request that is answered with `error`, and logs the agent's own failures; that it stops, or that a client has left, is none. */
export function logFailure(log: Log, error: A2AError, cause: unknown): void {
  if (error.row.http < 500) logRefusal(log, error.name)
  else {
    countRefusal(error.name)
    logOwn(log, error, cause)
  }
}

function logOwn(log: Log, error: A2AError, cause: unknown): void {
  if (error.name !== 'UnavailableError') log.error({ err: cause }, 'A request failed.')
  else if (error.cause === undefined) log.info(error.message)
  else log.error({ err: error.cause }, error.message)
}
