// Where Prometheus reads the metrics: for those alone who have the token.
import { hash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { A2AError } from '../protocol/index.ts'
import type { Metrics } from '../telemetry/index.ts'

const digestOf = (token: string): Buffer => hash('sha256', token, 'buffer')

export function metricsRoute(app: FastifyInstance, metrics: Metrics, token: string): void {
  const digest = digestOf(token)

  app.get('/metrics', async ({ headers }, reply) => {
    const [, given = ''] = /^bearer +(\S+)$/i.exec(headers.authorization?.trim() ?? '') ?? []
    if (!timingSafeEqual(digestOf(given), digest)) {
      throw new A2AError(
        'UnauthenticatedError',
        'The metrics are for who sends METRICS_TOKEN: Authorization: Bearer <token>.',
      )
    }
    return reply
      .header('cache-control', 'no-store')
      .type(metrics.contentType)
      .send(await metrics.text())
  })
}
