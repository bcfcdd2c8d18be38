// Holds that a decision is an operator's own act: not that of a page of another site, or of one that frames or leads here.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { checkHost, type PermitsHost } from '../hosts.ts'
import { OperatorError } from './errors.ts'

/** Of each answer; a page allows itself its own style and forms besides. */
const headers = {
  'x-frame-options': 'DENY',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

/** `publicUrl` is asked for at each request. */
export function holdOwnActs(app: FastifyInstance, permitsHost: PermitsHost, publicUrl: () => string): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headers)
    checkHost(request, permitsHost)
    if (request.method !== 'POST' || isOwnAct(request, permitsHost, publicUrl())) return
    throw new OperatorError(
      403,
      'A page of another site cannot decide here. If this one is the agent’s own, PUBLIC_URL must name its host.',
    )
  })
}

/** A browser tells the site of the page that sends; over plain HTTP to another machine only its origin. */
function isOwnAct({ headers }: FastifyRequest, permitsHost: PermitsHost, publicUrl: string): boolean {
  const { origin, host, 'sec-fetch-site': site = 'none' } = headers
  if (site !== 'same-origin' && site !== 'none') return false
  if (origin === undefined) return true
  const from = URL.parse(origin)
  if (!from || !permitsHost(from.host)) return false
  return site === 'same-origin' || from.host === host || from.origin === URL.parse(publicUrl)?.origin
}
