// An operator's decision on what a task waits for, and what happens when nobody decides or answers in time.
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

export interface DecisionRequest {
  taskId: string
  outcome: 'approved' | 'denied'
  by: string
  /** Why it was denied. */
  reason?: string
  /** The digest that the operator saw; if it is given, the decision is for that operation or for none. */
  digest?: string
}

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
  const { tasks, records, authorizations } = store.writing

  return store.write(() => {
    const row = tasks.findForOperator(request.taskId)
    if (!row) throw new DecisionRefused('unknown', `There is no task ${request.taskId} here.`)
    const digest = digestOfWait(row.wait)
    if (row.cancel || digest === undefined) throw new DecisionRefused('conflict', whyNot(core, row))
    const open = authorizations.find(row.task, digest)!
    if (open.outcome !== null) throw new DecisionRefused('conflict', whyNot(core, row))
    const now = world.now()
    if (now >= open.expiresAt) {
      throw new DecisionRefused('expired', 'The request has expired. The client can start a new task.')
    }
    if (request.digest !== undefined && request.digest !== digest) {
      throw new DecisionRefused('conflict', 'The request has changed since you read it. Read it again.')
    }
    const at = new Date(now).toISOString()
    const { outcome, by, reason = 'no reason was given' } = request
    const decision: Decision = outcome === 'approved' ? { outcome, by, at } : { outcome, by, at, reason }
    authorizations.decide(row.task, digest, outcome, by, now, request.reason)
    records.put(row.task, row.wait!, decision)
    if (outcome === 'approved') writer.status(row, 'TASK_STATE_WORKING', { work: true })
    else wakeFor(core, row)
    store.afterCommit(() => start(row.task))
    return decision
  })
}

/** Gives the run of a task that waits no more something to do, without a change of state. */
function wakeFor({ store, writer }: Core, row: TaskRow): void {
  Object.assign(row, { due: writer.nextDue(), wait: null, expiresAt: null })
  store.writing.tasks.saveWork(row)
}

/** What a task that waits for no decision is doing instead, in words for an operator. */
function whyNot({ store }: Core, row: TaskRow): string {
  const last = store.writing.authorizations.latest(row.task)
  const decided =
    last?.decidedAt && last.outcome !== 'void'
      ? ` Its request was ${last.outcome} at ${new Date(last.decidedAt).toISOString()}.`
      : ''
  if (row.cancel && !isTerminal(row.state)) return `The task is being canceled.${decided}`
  if (isTerminal(row.state)) return `The task has ended in ${row.state}.${decided}`
  return `The task is in ${row.state} and does not wait for an approval here.${decided}`
}

/**
 * Ends the waits whose time has come: a question that nobody answered fails its task, an expired authorization is told to its run.
 * @returns when the next wait ends, in ms since the epoch, or undefined
 */
export async function expire(core: Core, start: (task: number) => void): Promise<number | undefined> {
  const { store, writer, world } = core
  const { tasks, records, authorizations } = store.writing
  return store.write(() => {
    const now = world.now()
    for (const task of tasks.expiredAt(now)) {
      const row = tasks.get(task)!
      const digest = digestOfWait(row.wait)
      if (digest === undefined) {
        const message = writer.say(row, 'Nobody answered the question in time.')
        writer.status(row, 'TASK_STATE_FAILED', { message })
        continue
      }
      const at = new Date(now).toISOString()
      authorizations.decide(task, digest, 'expired', null, now)
      records.put(task, row.wait!, { outcome: 'expired', at } satisfies Decision)
      wakeFor(core, row)
      store.afterCommit(() => start(task))
    }
    return tasks.nextExpiry() ?? undefined
  })
}
