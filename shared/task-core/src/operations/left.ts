// Whether the client of a call is still there. An AbortController for each call would be a fifth of a GetTask, and a good part of a quiet stream.

export class Left {
  /** True once the client has left or the server stops. */
  gone = false
  /** What the call waits for, which is closed then. It waits for one thing at a time. */
  waits: { close(): void } | undefined

  go(): void {
    if (this.gone) return
    this.gone = true
    this.waits?.close()
  }
}
