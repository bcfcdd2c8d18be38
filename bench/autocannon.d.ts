// The part of autocannon that the load uses; the package has no types of its own.
declare module 'autocannon' {
  import type { EventEmitter } from 'node:events'

  export interface Request {
    method: string
    headers: Record<string, string>
    body: string
    setupRequest?: (request: Request) => Request
  }
  interface Options {
    url: string
    connections: number
    /** Seconds. */
    duration: number
    /** Milliseconds; a run ends at the end of a sample. */
    sampleInt: number
    /** How many errors end the run. */
    bailout: number
    requests: Request[]
    /** Called with each connection's client before it connects. */
    setupClient: (client: { conn: EventEmitter }) => void
    verifyBody: (body: string) => boolean
  }
  interface Result {
    errors: number
    non2xx: number
  }
  interface Run extends PromiseLike<Result> {
    stop(): void
  }
  export default function autocannon(options: Options): Run
}
