// The refusals of callers who did not show who they are (§7.4, RFC 6750).
import { A2AError } from '../protocol/index.ts'

const invalid = { metadata: { error: 'invalid_token' } }

/** For a request without a token. */
export const noToken = (): A2AError =>
  new A2AError(
    'UnauthenticatedError',
    'This agent wants to know who calls: send Authorization: Bearer <token>.',
  )

/** For a token that is nobody's. */
export const unknownToken = (): A2AError =>
  new A2AError(
    'UnauthenticatedError',
    'The token is not known here: send Authorization: Bearer <token>.',
    invalid,
  )

/** For a token that does not hold: `why`, in words that show nothing of it. */
export const invalidToken = (why: string): A2AError =>
  new A2AError('UnauthenticatedError', `The token is not valid here: ${why}.`, invalid)
