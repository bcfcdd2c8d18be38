// Where an operator reads and decides what a task waits for: plain HTTP, outside the protocol (§7.6.1).
import { isIP } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DecisionRefused, digestOfWait } from '../engine/decide.ts'
import type { OperationContext } from '../operations/index.ts'
import { A2AError, invalid, type TaskStatus, textOf } from '../protocol/index.ts'
import { approvalPage, decidedPage } from './approval-page.ts'

/** Until operators are told apart, whoever reaches the agent's address is this one. */
const operator = 'operator'
const contentPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
const longestReason = 2000
const statusOf = { unknown: 404, conflict: 409, expired: 410 } as const

type TaskRequest = FastifyRequest<{ Params: { taskId: string } }>

export async function approvalRoutes(app: FastifyInstance, context: OperationContext): Promise<void> {
  const { core, engine, card } = context
  const { tasks, authorizations } = core.store.committed

  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => {
      done(null, body)
    },
  )
  // A page of another site must not decide in the name of a person who happens to look at it; nor one whose name was turned to
  // this address after it was loaded, which is the same site for the browser.
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-frame-options', 'DENY')
    reply.header('content-security-policy', contentPolicy)
    const { origin, 'sec-fetch-site': site = 'none' } = request.headers
    const isOwn = origin === undefined || isAt(origin, core.approveUrl(''))
    if (request.method !== 'POST' || (isOwn && (site === 'same-origin' || site === 'none'))) return
    reply.code(403)
    const error =
      'A page of another site cannot decide here. If this one is the agent’s own, PUBLIC_URL must name its host.'
    return answer(request, reply, { error })
  })

  app.get('/approve/:taskId', async (request: TaskRequest, reply) => {
    const row = tasks.findForOperator(request.params.taskId)
    if (!row) {
      reply.code(404)
      return answer(request, reply, { error: `There is no task ${request.params.taskId} here.` })
    }
    const digest = digestOfWait(row.wait)
    const asked =
      digest === undefined ? authorizations.latest(row.task) : authorizations.find(row.task, digest)
    const status = JSON.parse(row.status) as TaskStatus
    const waiting = digest !== undefined && asked?.outcome === null && row.cancel === null
    const shown = {
      agent: card.name,
      taskId: row.id,
      state: row.state,
      text: textOf(status.message),
      waiting,
      operation: asked?.operation,
      digest: asked?.digest,
      expiresAt: asked ? new Date(asked.expiresAt).toISOString() : undefined,
      outcome: asked?.outcome ?? undefined,
      ...(waiting && {
        approve: `POST ${core.approveUrl(row.id)}`,
        deny: `POST ${core.denyUrl(row.id)}`,
      }),
    }
    reply.header('cache-control', 'no-store')
    return wantsHtml(request) ? reply.type('text/html; charset=utf-8').send(approvalPage(shown)) : shown
  })

  for (const [path, outcome] of [
    ['/approve', 'approved'],
    ['/deny', 'denied'],
    ['/revoke', 'revoked'],
  ] as const) {
    app.post(`${path}/:taskId`, async (request: TaskRequest, reply) => {
      const { taskId } = request.params
      try {
        const asked = { taskId, by: operator, ...readDecision(request) }
        const decision =
          outcome === 'revoked' ? await engine.revoke(asked) : await engine.decide({ ...asked, outcome })
        request.log.info({ taskId, decision }, 'An operator decided.')
        return answer(request, reply, { taskId, ...decision })
      } catch (error) {
        if (!(error instanceof DecisionRefused)) throw error
        reply.code(statusOf[error.why])
        return answer(request, reply, { error: error.message })
      }
    })
  }
}

/** Whether `origin` has the host of `address`, or one that no name server is asked for. */
function isAt(origin: string, address: string): boolean {
  const host = URL.parse(origin)?.hostname ?? ''
  return (
    host === 'localhost' ||
    isIP(host.replace(/^\[(.*)\]$/, '$1')) > 0 ||
    host === URL.parse(address)?.hostname
  )
}

/**
 * What the body says, and the digest of the link that was followed.
 * @throws A2AError where the two name different ones
 */
function readDecision(request: FastifyRequest): { reason?: string; digest?: string } {
  const said = readBody(request)
  const linked = optionalText((request.query as Record<string, unknown>).digest, 'digest')
  if (linked === undefined) return said
  if (said.digest !== undefined && said.digest !== linked) {
    throw invalid('digest', 'is another one in the body than in the address')
  }
  return { ...said, digest: linked }
}

/**
 * `reason` and `digest`, from JSON, a form, or nothing at all.
 * @throws A2AError for anything else, another field too: a digest that cannot be read must not count as none
 */
function readBody({ body, headers }: FastifyRequest): { reason?: string; digest?: string } {
  if (typeof body !== 'string' || body === '') return {}
  const isForm = headers['content-type']?.toLowerCase().startsWith('application/x-www-form-urlencoded')
  const given: unknown = isForm ? Object.fromEntries(new URLSearchParams(body)) : parseJson(body)
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw invalid('body', 'must be an object')
  const { reason, digest, ...others } = given as Record<string, unknown>
  // A push notification is a POST too, to an address that a client chose: it must not count as a decision.
  const [other] = Object.keys(others)
  if (other !== undefined)
    throw invalid(other.slice(0, 60), 'is not known here: a decision has reason and digest')
  const text = optionalText(reason, 'reason')?.trim()
  const seen = optionalText(digest, 'digest')
  return { ...(text && { reason: text }), ...(seen !== undefined && { digest: seen }) }
}

function optionalText(value: unknown, field: string): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string' || !value.isWellFormed()) throw invalid(field, 'must be text')
  if (value.length > longestReason) throw invalid(field, `must have at most ${longestReason} characters`)
  return value
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new A2AError('ParseError', 'The body is not JSON. It may be left out, or be {"reason": "..."}.')
  }
}

const wantsHtml = ({ headers }: FastifyRequest): boolean => headers.accept?.includes('text/html') ?? false

function answer(request: FastifyRequest, reply: FastifyReply, body: Record<string, unknown>): unknown {
  if (!wantsHtml(request)) return reply.send(body)
  return reply.type('text/html; charset=utf-8').send(decidedPage(body))
}
