// The client: connect to an agent by its card, call it, and watch its tasks through drops.
export type { RetryPolicy, World } from './backoff.ts'
export type { AgentClient, SendOptions } from './client.ts'
export { type ConnectOptions, connect, type LazyAgent, lazyAgent, type Observe } from './connect.ts'
export {
  CardError,
  ConnectionError,
  factsOf,
  GaveUpError,
  HttpError,
  type ReplyFacts,
  StreamCutError,
} from './errors.ts'
export type { WatchedEvent } from './sightings.ts'
export type { SignedBy, Trust } from './signature.ts'
export type { CallOptions, Limits, StreamEvent, Transport } from './transport.ts'
export type { WatchOptions } from './watch.ts'
