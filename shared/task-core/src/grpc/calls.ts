// The calls that are under way, so that a client that leaves frees them, and a server that stops ends them in time.
import type { ServerUnaryCall, ServerWritableStream } from '@grpc/grpc-js'
import { Left } from '../operations/index.ts'

export type AnyCall = ServerUnaryCall<Buffer, Buffer> | ServerWritableStream<Buffer, Buffer>

export type OpenCalls = ReturnType<typeof trackCalls>

export function trackCalls() {
  const open = new Set<Left>()
  let stopping = false
  return {
    get stopping() {
      return stopping
    },
    /** Says when the client cancels or is gone, when its deadline has passed, and when the server stops. */
    begin(call: AnyCall): Left {
      const left = new Left()
      open.add(left)
      // Emitted at the end of every call, whatever ended it.
      call.once('cancelled', () => {
        open.delete(left)
        left.go()
      })
      if (stopping) left.go()
      return left
    },
    stop(): void {
      stopping = true
      for (const left of open) left.go()
    },
  }
}
