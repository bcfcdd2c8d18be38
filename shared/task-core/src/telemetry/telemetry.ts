// What an agent tells of its inside: a tracer, which is always there, and metrics, where they are switched on.
import type { World } from '../world.ts'
import type { TraceContext } from './trace-context.ts'

/** Words and numbers about a span; never what a user wrote. */
export type Attributes = Record<string, string | number | boolean>

export interface SpanOptions {
  name: string
  kind: 'server' | 'client' | 'internal'
  /** None begins a trace. */
  parent?: TraceContext | undefined
  attributes?: Attributes
}

/** Something that takes time. Whoever begins one ends it. */
export interface Span {
  readonly trace: TraceContext
  set(attributes: Attributes): void
  /** Names another trace that has to do with this span. */
  link(trace: TraceContext): void
  /** `error` is why it failed, if it did. */
  end(error?: unknown): void
}

export interface Tracer {
  /** The beginning of a trace, for work to which nobody gave one. */
  newTrace(): TraceContext
  /** Whether spans are recorded. */
  records: boolean
  /** Undefined where they are not. */
  begin(options: SpanOptions): Span | undefined
  /** Sends what was recorded. */
  close(): Promise<void>
}

export interface Metrics {
  /** An operation has ended; `outcome` is `ok`, `refused` (the caller's fault), `cut` (it left, or the agent stops) or `failed`. */
  operation(name: string, binding: string, outcome: string, seconds: number): void
  /** A request was not done, for the reason that an error of the protocol names. */
  refused(reason: string, binding: string): void
  /** A stream has begun (1) or ended (-1). */
  stream(binding: string, change: 1 | -1): void
  commit(seconds: number): void
  /** Where the numbers come from that are read when somebody asks. */
  read(sources: Sources): void
  /** All of it, in the text format of Prometheus. */
  text(): Promise<string>
  contentType: string
}

/** Numbers that are read at each scrape. Times in ms since the epoch. */
export interface Sources {
  tasks(): { state: string; tasks: number }[]
  waits(): { kind: string; waits: number; since: number | null }[]
  outbox(): { due: number; failing: number }
  turns(): { running: number; queued: number }
  now(): number
}

export interface Telemetry {
  tracer: Tracer
  metrics?: Metrics | undefined
}

/** Records no spans: traces are known by their ids alone, in logs and in the requests that are sent on. */
export const plainTracer = (world: World): Tracer => ({
  newTrace: () => ({
    traceId: traceIdFrom(world),
    spanId: spanIdFrom(world),
    // Nobody has decided against it: who records traces further on, records this one.
    sampled: true,
  }),
  records: false,
  begin: () => undefined,
  close: async () => {},
})

export const traceIdFrom = (world: World): string => world.id('trace').replaceAll('-', '')
/** The end of an id, where a time-ordered one has its chance. */
export const spanIdFrom = (world: World): string => world.id('span').replaceAll('-', '').slice(-16)
