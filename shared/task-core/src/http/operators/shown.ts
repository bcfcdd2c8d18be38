// One request as an operator is shown it: what is asked, by whom, and what became of it.
import { digestOfWait } from '../../engine/decide.ts'
import { isTerminal, type Struct, type TaskState, type TaskStatus, textOf } from '../../protocol/index.ts'
import type { Authorization, TaskRow } from '../../store/index.ts'
import type { OperatorContext } from './context.ts'
import { OperatorError } from './errors.ts'
import { findRequest } from './find.ts'
import type { Requester } from './requester.ts'

export interface Shown {
  agent: string
  provider?: string
  taskId: string
  state: TaskState
  requester: Requester
  /** What the agent says of it, and the client may have had a hand in. */
  text: string
  /** Whether it waits for a decision. */
  waiting: boolean
  operation?: Struct
  digest?: string
  /** Times are ISO 8601. */
  askedAt?: string
  expiresAt?: string
  outcome?: string
  decidedBy?: string
  decidedAt?: string
  reason?: string
  usedAt?: string
  /** Whether the task is being canceled. */
  canceling?: true
  /** The digest of what the task asks for now, where this is no longer it. */
  replacedBy?: string
  approve?: string
  deny?: string
  /** Only where it is approved and not used yet. */
  revoke?: string
}

/**
 * The request of task `id` with `digest`; by default the one that waits, or else the last one.
 * @throws OperatorError 404 where there is none
 */
export async function showRequest(
  context: OperatorContext,
  id: string,
  digest: string | undefined,
): Promise<Shown> {
  const { row, asked, replacedBy } = findRequest(context, id, digest)
  if (!row) throw new OperatorError(404, `There is no task ${id} here.`)
  if (digest !== undefined && !asked) {
    throw new OperatorError(404, `Task ${id} has not asked for anything with the digest ${digest}.`)
  }
  const requester = await context.requesters.describe(row.owner)
  return { ...describe(context, row, asked, requester), ...(replacedBy !== undefined && { replacedBy }) }
}

/** `asked` as a request of the task `row`; undefined where the task has asked for nothing. */
export function describe(
  context: OperatorContext,
  row: TaskRow,
  asked: Authorization | undefined,
  requester: Requester,
): Shown {
  const { card } = context
  const waiting = asked !== undefined && digestOfWait(row.wait) === asked.digest && isOpen(row, asked)
  const status = JSON.parse(row.status) as TaskStatus
  return {
    agent: card.name,
    ...(card.provider && { provider: card.provider.organization }),
    taskId: row.id,
    state: row.state,
    requester,
    text: textOf(status.message),
    waiting,
    ...(asked && factsOf(asked)),
    ...(row.cancel && !isTerminal(row.state) && { canceling: true as const }),
    ...(asked && linksOf(context, row, asked, waiting)),
  }
}

const isOpen = (row: TaskRow, { outcome }: Authorization) => outcome === null && row.cancel === null

function factsOf({ operation, digest, outcome, decidedBy, reason, ...times }: Authorization) {
  const { askedAt, expiresAt, decidedAt, usedAt } = times
  return {
    operation,
    digest,
    askedAt: iso(askedAt),
    expiresAt: iso(expiresAt),
    ...(outcome && { outcome }),
    ...(decidedBy && { decidedBy }),
    ...(decidedAt && { decidedAt: iso(decidedAt) }),
    ...(reason && { reason }),
    ...(usedAt && { usedAt: iso(usedAt) }),
  }
}

/** The links name the digest where the task has asked for more than one thing, as those in its status do. */
function linksOf({ core, publicUrl }: OperatorContext, row: TaskRow, asked: Authorization, waiting: boolean) {
  const several = core.store.committed.authorizations.count(row.task) > 1
  const which = several ? `?digest=${asked.digest}` : ''
  const canBeRevoked = asked.outcome === 'approved' && asked.live && !row.cancel
  return {
    ...(waiting && {
      approve: `POST ${core.approveUrl(row.id)}${which}`,
      deny: `POST ${core.denyUrl(row.id)}${which}`,
    }),
    ...(canBeRevoked && { revoke: `POST ${publicUrl()}/revoke/${row.id}${which}` }),
  }
}

const iso = (time: number): string => new Date(time).toISOString()
