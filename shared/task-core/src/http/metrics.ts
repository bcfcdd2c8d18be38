// Where Prometheus reads the metrics: for those alone who have the token.
import type { FastifyInstance } from 'fastify'
import { createHolderOf } from '../operations/index.ts'
import { A2AError } from '../protocol/index.ts'
import type { Metrics } from '../telemetry/index.ts'

export function metricsRoute(app: FastifyInstance, metrics: Metrics, token: string): void {
  const holderOf = createHolderOf({ reader: token })

  app.get('/metrics', async ({ headers }, reply) => {
    const [, given = ''] = /^bearer +(\S+)$/i.exec(headers.authorization?.trim() ?? '') ?? []
    if (holderOf(given) === undefined) {
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
