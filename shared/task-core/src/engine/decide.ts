// An operator's decision on what a task waits for, and the taking back of an approval that is not used yet.
import type { Decision } from '../define-agent.ts'
import { isTerminal } from '../protocol/index.ts'
import type { TaskRow } from '../store/index.ts'
import type { Core } from './core.ts'

/** Why a decision was not taken; nothing was changed. */
export class DecisionRefused extends Error {
  override readonly name = 'DecisionRefused'
  readonly why: 'unknown' | 'conflict' | 'expired'
  constructor(why: 'unknown' | 'conflict' | 'expired', message: string) {
    super(message)
    this.why = why
  }
}

export interface Revocation {
  taskId: string
  /** The operator's name. */
  by: string
  /** Why it was denied or revoked. */
  reason?: string
  /** The digest that the operator saw; if it is given, the decision is for that operation or for none. */
  digest?: string
}

export interface DecisionRequest extends Revocation {
  outcome: 'approved' | 'denied'
}

const noReason = 'no reason was given'

/** The digest of the operation that a task's wait is for; undefined if it waits for something else. */
export const digestOfWait = (wait: string | null): string | undefined =>
  /^authorize:([0-9a-f]{64})#\d+$/.exec(wait ?? '')?.[1]

/**
 * Records the decision; `start` is called with the task once that is committed.
 * @throws DecisionRefused when there is nothing to decide
 */
export function decide(
  core: Core,
  request: DecisionRequest,
  start: (task: number) => void,
): Promise<Decision> {
  const { store, writer, world } = core
  const { records, authorizations } = store.writing

  return store.write(() => {
    const row = find(core, request)
    const digest = digestOfWait(row.wait)
    if (row.cancel || digest === undefined) throw whyNot(core, row)
    const open = authorizations.find(row.task, digest)!
    if (open.outcome !== null) throw whyNot(core, row)
    const now = world.now()
    if (now >= open.expiresAt) {
      throw new DecisionRefused('expired', 'The request has expired. The client can start a new task.')
    }
    checkDigest(core, row, request, digest)
    const at = new Date(now).toISOString()
    const { outcome, by, reason = noReason } = request
    const decision: Decision =
      outcome === 'approved' ? { outcome, by, at, digest } : { outcome, by, at, digest, reason }
    const call = row.wait
    authorizations.settle({ task: row.task, digest, outcome, by, at: now, reason: request.reason, call })
    records.put(row.task, call!, decision)
    if (outcome === 'approved') writer.status(row, 'TASK_STATE_WORKING', { work: true })
    else wakeFor(core, row)
    store.afterCommit(() => start(row.task))
    return decision
  })
}

/**
 * Takes an approval back that no step has used. The step that names it is not done then, and its run learns of it.
 * @throws DecisionRefused when there is none, or when it is used
 */
export function revoke(core: Core, request: Revocation): Promise<Decision> {
  const { store, world } = core
  const { authorizations, records } = store.writing

  return store.write(() => {
    const row = find(core, request)
    const [approval, another] = authorizations
      .approved(row.task)
      .filter(({ digest }) => request.digest === undefined || digest === request.digest)
    if (row.cancel || !approval) throw whyNotRevoked(core, row)
    if (another) {
      throw new DecisionRefused(
        'conflict',
        'Several approvals of the task are not used yet. Name one by its digest.',
      )
    }
    const { task, digest, call } = approval
    const now = world.now()
    const { by, reason = noReason } = request
    const decision: Decision = { outcome: 'revoked', by, at: new Date(now).toISOString(), digest, reason }
    authorizations.settle({ task, digest, outcome: 'revoked', by, at: now, reason: request.reason, call })
    records.put(task, call!, decision)
    return decision
  })
}

/** The task. @throws DecisionRefused where there is none, or it never asked for what has the digest */
function find({ store }: Core, { taskId, digest }: Revocation): TaskRow {
  const { tasks, authorizations } = store.writing
  const row = tasks.findForOperator(taskId)
  if (!row) throw new DecisionRefused('unknown', `There is no task ${taskId} here.`)
  if (digest === undefined || authorizations.find(row.task, digest)) return row
  const why = 'The task has never asked for anything with this digest. Read what it asks for'
  throw new DecisionRefused('conflict', `${why}, and decide by the digest that stands there.`)
}

/** An operator decides on what they saw: by its digest, or by the task's link while it has only ever asked for one thing. */
function checkDigest({ store }: Core, row: TaskRow, request: DecisionRequest, digest: string): void {
  if (request.digest === digest) return
  if (request.digest !== undefined) {
    throw new DecisionRefused('conflict', 'The request has changed since you read it. Read it again.')
  }
  if (request.outcome === 'approved' && store.writing.authorizations.count(row.task) > 1) {
    const why = 'The task asked for something else before. Read what it asks for now'
    throw new DecisionRefused('conflict', `${why}, and approve it by its digest: ?digest=${digest}`)
  }
}

/** Gives the run of a task that waits no more something to do, without a change of state. */
export function wakeFor({ store, writer }: Core, row: TaskRow): void {
  Object.assign(row, { due: writer.nextDue(), wait: null, expiresAt: null })
  store.writing.tasks.saveWork(row)
}

/** What a task that waits for no decision is doing instead, in words for an operator. */
function whyNot({ store }: Core, row: TaskRow): DecisionRefused {
  const last = store.writing.authorizations.latest(row.task)
  const decided =
    last?.decidedAt && last.outcome !== 'void'
      ? ` Its request was ${last.outcome} at ${new Date(last.decidedAt).toISOString()}.`
      : ''
  const why = last?.outcome === 'expired' ? 'expired' : 'conflict'
  return new DecisionRefused(why, `${whatItDoes(row)}${decided}`)
}

function whatItDoes({ state, cancel }: TaskRow): string {
  if (cancel && !isTerminal(state)) return 'The task is being canceled.'
  if (isTerminal(state)) return `The task has ended in ${state}.`
  return `The task is in ${state} and does not wait for an approval here.`
}

function whyNotRevoked(core: Core, row: TaskRow): DecisionRefused {
  const { authorizations } = core.store.writing
  const last = authorizations.latest(row.task)
  if (last?.usedAt) {
    const at = new Date(last.usedAt).toISOString()
    const why = `The approval was used at ${at}: the operation has begun and cannot be revoked any more.`
    return new DecisionRefused('conflict', `${why} ${whatItDoes(row)}`)
  }
  if (last?.live && last.outcome === null) {
    return new DecisionRefused('conflict', 'The request is not approved yet. Deny it instead.')
  }
  return new DecisionRefused('conflict', `There is no approval to revoke. ${whatItDoes(row)}`)
}
