// OpenTelemetry: records spans and sends them to a collector by OTLP over HTTP. Loaded only where that is switched on.
import {
  type Attributes,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import type { World } from '../world.ts'
import { type Span, type SpanOptions, spanIdFrom, type Tracer, traceIdFrom } from './telemetry.ts'
import type { TraceContext } from './trace-context.ts'

export interface OpenTelemetryOptions {
  /** The collector's address, as `OTEL_EXPORTER_OTLP_ENDPOINT` gives it: spans go to `/v1/traces` below it. */
  endpoint: string
  /** The name of the service: the agent's. */
  name: string
  version: string
  world: World
  log: Logger
}

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL }

/** How long a stop waits for a collector that does not answer, in ms. */
const patience = 1000

/** Further variables of OpenTelemetry, such as those for headers and resource attributes, its own packages read. */
export function openTelemetryTracer({ endpoint, name, version, world, log }: OpenTelemetryOptions): Tracer {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` })
  const resource = resourceFromAttributes({ 'service.name': name, 'service.version': version })
  const provider = new TracerProvider({
    resource: resource.merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor({ exporter: reporting(exporter, log) })],
    idGenerator: { generateTraceId: () => traceIdFrom(world), generateSpanId: () => spanIdFrom(world) },
  })
  const tracer = provider.getTracer('a2a-kit')

  function begin({ name, kind, parent, attributes = {} }: SpanOptions): Span {
    const context = parent ? trace.setSpanContext(ROOT_CONTEXT, otherSide(parent)) : ROOT_CONTEXT
    const span = tracer.startSpan(name, { kind: kinds[kind], attributes }, context)
    const { traceId, spanId, traceFlags } = span.spanContext()
    return {
      trace: { traceId, spanId, sampled: (traceFlags & TraceFlags.SAMPLED) !== 0 },
      set: (more: Attributes) => void span.setAttributes(more),
      link: (other) => void span.addLink({ context: otherSide(other) }),
      end(error) {
        // The name alone: texts of errors quote what users wrote.
        if (error !== undefined)
          span.setStatus({ code: SpanStatusCode.ERROR, message: (error as Error).name ?? 'Error' })
        span.end()
      },
    }
  }

  return {
    // Where a span begins a trace nothing has to be made before.
    newTrace: () => ({ traceId: traceIdFrom(world), spanId: spanIdFrom(world), sampled: true }),
    records: true,
    begin,
    async close() {
      const { promise: late, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, patience)
      await Promise.race([provider.shutdown().catch(() => {}), late])
      clearTimeout(timer)
    },
  }
}

const otherSide = ({ traceId, spanId, sampled }: TraceContext) => ({
  traceId,
  spanId,
  traceFlags: sampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
  isRemote: true,
})

/** `exporter`, which says in the log when its collector takes nothing, and when it does again. */
function reporting(exporter: OTLPTraceExporter, log: Logger): OTLPTraceExporter {
  const send = exporter.export.bind(exporter)
  let lost = false
  exporter.export = (spans, done) =>
    send(spans, (result) => {
      const failed = result.code !== 0
      if (failed && !lost)
        log.warn({ why: result.error?.message }, 'Traces could not be sent to their collector.')
      if (lost && !failed) log.info('Traces are sent to their collector again.')
      lost = failed
      done(result)
    })
  return exporter
}
