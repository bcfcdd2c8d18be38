// How a request is answered that decided nothing: as JSON, or as a page that tells a person how things stand and leads on.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DecisionRefused } from '../../engine/decide.ts'
import { logRefusal } from '../../operations/index.ts'
import { toA2AError } from '../errors.ts'
import { readDecision } from './body.ts'
import type { OperatorContext } from './context.ts'
import { OperatorError } from './errors.ts'
import { findRequest } from './find.ts'
import { type Html, html } from './html.ts'
import { answer, page, requestAt, rootFrom } from './page.ts'
import { describe } from './shown.ts'
import { standingOf } from './standing.ts'

const statusOf = { unknown: 404, conflict: 409, expired: 410 } as const

type Refused = FastifyRequest<{ Params: { taskId?: string } }>

/** Nothing was changed by a request that is answered so. */
export function answerRefusal(
  context: OperatorContext,
  error: unknown,
  request: Refused,
  reply: FastifyReply,
): void {
  const draw = (status: number, words: string | Html) =>
    refusalPage(status, words, waysOn(context, status, request))
  if (error instanceof OperatorError || error instanceof DecisionRefused) {
    const isDecision = error instanceof DecisionRefused
    const status = isDecision ? statusOf[error.why] : error.status
    logRefusal(request.log, `operator ${status}`)
    reply.code(status)
    if (!isDecision) reply.headers(error.headers)
    const words = () => (isDecision ? howItStands(context, error, request) : error.message)
    answer(request, reply, { error: error.message }, () => draw(status, words()))
  } else {
    const { row, message } = toA2AError(error)
    if (row.http >= 500) request.log.error({ err: error }, 'An operator’s request failed.')
    else logRefusal(request.log, `operator ${row.http}`)
    answer(request, reply.code(row.http), { error: message }, () => draw(row.http, message))
  }
}

/** What became of the request that was to be decided; while it can still be decided, or is none, why it was not. */
function howItStands(context: OperatorContext, refused: DecisionRefused, request: Refused): string | Html {
  const { row, asked, replacedBy } = findRequest(
    context,
    request.params.taskId!,
    readDecision(request).digest,
  )
  if (!row || !asked || replacedBy !== undefined) return refused.message
  const shown = describe(context, row, asked, context.requesters.nameOf(row.owner))
  return shown.waiting ? refused.message : standingOf(shown, context.core.world.now()).words
}

/** Where these are answered, the reader cannot go on, or not under this host name. */
const deadEnds = [401, 421, 429]

function waysOn({ core }: OperatorContext, status: number, request: Refused): Html | undefined {
  if (deadEnds.includes(status)) return undefined
  const { taskId } = request.params
  const root = rootFrom(request)
  // Who was not identified is not told either which tasks there are: only a 404 comes after that.
  const isThere =
    taskId !== undefined && (status !== 404 || core.store.committed.tasks.findForOperator(taskId))
  return html`<p>${isThere && html`<a href="${requestAt(root, taskId)}">The request as it stands</a> · `}<a href="${root}approve">All that waits here</a></p>`
}

const headings: { [status: number]: string } = {
  401: 'Sign in',
  404: 'There is nothing here',
  429: 'Wait a while',
}

function refusalPage(status: number, words: string | Html, ways: Html | undefined): string {
  const heading = headings[status] ?? 'Nothing was decided'
  return page(heading, html`<h1>${heading}</h1>\n<p class="standing bad">${words}</p>\n${ways}`)
}
