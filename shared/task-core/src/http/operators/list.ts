// What waits for operators, oldest task first, a page at a time.
import type { FastifyRequest } from 'fastify'
import { invalid } from '../../protocol/index.ts'
import type { OperatorContext } from './context.ts'
import { describe, type Shown } from './shown.ts'

export interface Waiting {
  agent: string
  /** Each waits for a decision, or is approved and not used yet. */
  requests: Shown[]
  /** What `after` is for the next page; undefined on the last. */
  next?: string
}

const standardSize = 20
const largestSize = 100

/** @throws A2AError for an `after` that no page gave, or a `limit` out of range */
export async function listWaiting(context: OperatorContext, request: FastifyRequest): Promise<Waiting> {
  const { tasks, authorizations } = context.core.store.committed
  const { after, limit } = readPage(request.query as Record<string, unknown>)
  const found = authorizations.open({ ...(after && { after }), limit: limit + 1 })
  const requests = found.slice(0, limit).map((asked) => {
    const row = tasks.get(asked.task)!
    return describe(context, row, asked, context.requesters.nameOf(row.owner))
  })
  const last = found[limit - 1]
  const isMore = found.length > limit && last
  return { agent: context.card.name, requests, ...(isMore && { next: `${last.task}.${last.digest}` }) }
}

function readPage({ after = '', limit = String(standardSize) }: Record<string, unknown>) {
  const [, task, digest] = /^(?:(\d{1,15})\.([0-9a-f]{64}))?$/.exec(String(after)) ?? []
  if (after !== '' && task === undefined) throw invalid('after', 'must be what a page gave as its next')
  const size = /^\d{1,3}$/.test(String(limit)) ? Number(limit) : 0
  if (size < 1 || size > largestSize) throw invalid('limit', `must be from 1 to ${largestSize}`)
  return { ...(task !== undefined && { after: { task: Number(task), digest: digest! } }), limit: size }
}
