// Who may look inside: the token for the metrics, and the collector that traces go to.
import type { Part } from './part.ts'
import { patterns } from './values.ts'

export interface TelemetryConfiguration {
  /** Undefined if there are no metrics to read. */
  metricsToken: string | undefined
  /** Undefined if no traces are recorded. */
  tracesEndpoint: string | undefined
}

export const telemetry: Part<TelemetryConfiguration> = {
  properties: {
    METRICS_TOKEN: { type: 'string', pattern: patterns.METRICS_TOKEN },
    OTEL_EXPORTER_OTLP_ENDPOINT: { type: 'string', pattern: patterns.OTEL_EXPORTER_OTLP_ENDPOINT },
  },
  read: (values) => ({
    metricsToken: values.METRICS_TOKEN,
    tracesEndpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
  }),
}
