// What an operator is refused, and how it is answered: as JSON, or as a page to a person.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DecisionRefused } from '../../engine/decide.ts'
import { logRefusal } from '../../operations/index.ts'
import { toA2AError } from '../errors.ts'
import { sendHttpJsonError } from '../routes.ts'
import { html } from './html.ts'
import { answer, page, sendPage, wantsHtml } from './page.ts'

/** A refusal with its HTTP status and headers, in words for an operator. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError'
  readonly status: number
  readonly headers: Record<string, string | string[]>
  constructor(status: number, message: string, headers: Record<string, string | string[]> = {}) {
    super(message)
    this.status = status
    this.headers = headers
  }
}

const statusOf = { unknown: 404, conflict: 409, expired: 410 } as const

/** Nothing was changed by a request that is answered so. */
export function answerRefusal(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (error instanceof DecisionRefused) error = new OperatorError(statusOf[error.why], error.message)
  if (error instanceof OperatorError) {
    logRefusal(request.log, `operator ${error.status}`)
    reply.code(error.status).headers(error.headers)
    const { status, message } = error
    answer(request, reply, { error: message }, () => refusalPage(status, message))
  } else if (wantsHtml(request)) {
    const { row, message } = toA2AError(error)
    if (row.http >= 500) request.log.error({ err: error }, 'An operator’s request failed.')
    sendPage(reply.code(row.http), refusalPage(row.http, message))
  } else sendHttpJsonError(request, reply, error)
}

const headings: { [status: number]: string } = {
  401: 'Sign in',
  404: 'There is nothing here',
  429: 'Wait a while',
}

function refusalPage(status: number, message: string): string {
  const heading = headings[status] ?? 'Nothing was decided'
  return page(heading, html`<h1>${heading}</h1>\n<p class="standing bad">${message}</p>`)
}
