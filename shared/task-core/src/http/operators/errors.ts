// What an operator is refused, by this door itself.

/** A refusal with its HTTP status and headers, in words for an operator. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError'
  readonly status: number
  readonly headers: Record<string, string | string[]>
  constructor(status: number, message: string, headers: Record<string, string | string[]> = {}) {
    super(message)
    this.status = status
    this.headers = headers
  }
}
