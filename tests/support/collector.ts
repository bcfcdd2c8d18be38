// A collector of OpenTelemetry: takes spans by OTLP over HTTP, as JSON, and keeps them.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

export interface CollectedSpan {
  service: string
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  /** In ns since the epoch. */
  began: bigint
  ended: bigint
  links: { traceId: string }[]
  attributes: Record<string, unknown>
  /** What it says of an error. */
  error: string | undefined
}

/** `status` is what it answers. */
export async function startCollector(status = 200): Promise<{
  endpoint: string
  spans: CollectedSpan[]
  bodies: string[]
}> {
  const [spans, bodies]: [CollectedSpan[], string[]] = [[], []]
  const server = createServer(async (request, response) => {
    const body = await text(request)
    bodies.push(body)
    for (const resource of JSON.parse(body).resourceSpans) {
      const service = valuesOf(resource.resource.attributes)['service.name'] as string
      for (const { spans: some } of resource.scopeSpans)
        spans.push(...some.map((one: Wire) => spanOf(one, service)))
    }
    response.writeHead(status, { 'Content-Type': 'application/json' }).end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans, bodies }
}

// biome-ignore lint/suspicious/noExplicitAny: as it comes
type Wire = any

const spanOf = (span: Wire, service: string): CollectedSpan => ({
  ...span,
  service,
  began: BigInt(span.startTimeUnixNano),
  ended: BigInt(span.endTimeUnixNano),
  links: span.links ?? [],
  attributes: valuesOf(span.attributes ?? []),
  error: span.status?.code === 2 ? span.status.message : undefined,
})

const valuesOf = (attributes: { key: string; value: object }[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
