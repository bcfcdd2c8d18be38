// Puts an agent's telemetry together: what is not switched on is not even loaded.
import type { Logger } from 'pino'
import type { World } from '../world.ts'
import { plainTracer, type Telemetry, type Tracer } from './telemetry.ts'

export interface TelemetryOptions {
  name: string
  version: string
  world: World
  log: Logger
  /** Whether anybody reads metrics. */
  metrics: boolean
  /** The collector of OpenTelemetry to which traces go; undefined records none. */
  tracesEndpoint: string | undefined
}

/** @throws Error when traces are to be recorded and the packages for it are not there */
export async function startTelemetry({
  metrics,
  tracesEndpoint,
  ...rest
}: TelemetryOptions): Promise<Telemetry> {
  const tracer =
    tracesEndpoint === undefined ? plainTracer(rest.world) : await recording(tracesEndpoint, rest)
  return { tracer, metrics: metrics ? (await import('./metrics.ts')).createMetrics() : undefined }
}

async function recording(
  endpoint: string,
  options: Omit<TelemetryOptions, 'metrics' | 'tracesEndpoint'>,
): Promise<Tracer> {
  const { openTelemetryTracer } = await import('./opentelemetry.ts')
  return openTelemetryTracer({ ...options, endpoint })
}
