// The engine: starts the runs that are due, wakes those that wait for news, cancels, expires, stops.
import type { Decision } from '../define-agent.ts'
import type { Struct } from '../protocol/index.ts'
import { Register } from '../register.ts'
import type { TaskRow } from '../store/index.ts'
import { idsOf, noteTask, taskScope, within } from '../telemetry/index.ts'
import { type Acceptable, type Accepted, accept } from './accept.ts'
import { isOpenFollow } from './calls/followed.ts'
import { carryOutCancel, requestCancel } from './cancel.ts'
import type { Core } from './core.ts'
import { type DecisionRequest, decide, type Revocation, revoke } from './decide.ts'
import { expire } from './expire.ts'
import { createHandle } from './handle.ts'
import { purge } from './retention.ts'
import { type Canceling, createRun, type Run } from './run.ts'
import { createTurns } from './turns.ts'

export type Engine = ReturnType<typeof createEngine>

/** How long a run waits to be tried again after the store failed, in ms. */
const retryAfter = 1000
/** How often the clock is looked at while something waits, in ms: no timer sees that it was set, or that the machine slept. */
const longestUnwatched = 60_000

export function createEngine(core: Core) {
  const { agent, store, log, settings, world, telemetry } = core
  const turns = createTurns(settings.maxTurns)
  const live = new Register<number, Run>()
  const cancels = new Map<number, Promise<void>>()
  const timers = new Set<NodeJS.Timeout>()
  let expiry: NodeJS.Timeout | undefined
  const closing = new AbortController()

  function later(ms: number, work: () => void): NodeJS.Timeout | undefined {
    if (closing.signal.aborted) return undefined
    const timer = setTimeout(() => {
      timers.delete(timer)
      work()
    }, ms)
    timers.add(timer)
    return timer
  }

  function forget(timer: NodeJS.Timeout | undefined): void {
    if (!timer) return
    clearTimeout(timer)
    timers.delete(timer)
  }

  /** Sees to a task that has something to do. */
  function start(task: number): void {
    if (closing.signal.aborted) return
    const running = live.get(task)
    if (running && !running.isStopped()) {
      running.wake()
      return
    }
    const row = store.writing.tasks.get(task)
    if (!row || row.due === null) return
    if (row.cancel) return void cancelNow(row)
    const run = createRun(core, turns, row)
    live.set(task, run)
    // A run that goes ahead of its own task's commit is lost with it. What began after that commit has nothing to do with the turn that is open.
    if (store.writing.tasks.isNew(task)) store.afterCommit(() => {}, run.lost)
    void within(run.scope, () => run.drive(() => agent.run(createHandle(run)))).then((end) => {
      if (live.get(task) === run) live.delete(task)
      if (end === 'lost') later(retryAfter, () => start(task))
      if (end === 'again') start(task)
      if (end === 'parked') void watchExpiry()
    })
  }

  /** Carries the stored cancel of a task out, once however often it is asked for. */
  function cancelNow(row: TaskRow): Promise<void> {
    const underWay = cancels.get(row.task)
    if (underWay) return underWay
    const frozen = live.get(row.task)?.freeze()
    live.delete(row.task)
    const work = { frozen, passOn: () => passOn(row), closing: closing.signal }
    const done = within(taskScope(telemetry, row), () => carryOutCancel(core, row, work)).finally(() => {
      cancels.delete(row.task)
      frozen?.release()
    })
    cancels.set(row.task, done)
    done.catch((err) => {
      log.error({ err, ...idsOf(row) }, 'A cancel could not be carried out; trying again.')
      later(retryAfter, () => start(row.task))
    })
    return done
  }

  /** Where another agent's task is open, runs the function once more, from records alone, up to the call that follows it. */
  async function passOn(row: TaskRow): Promise<string[]> {
    if (!store.writing.records.all(row.task).some(isOpenFollow)) return []
    const canceling: Canceling = { passedOn: [] }
    const run = createRun(core, createTurns(1), row, canceling)
    live.set(row.task, run)
    await within(run.scope, () => run.drive(() => agent.run(createHandle(run))))
    live.delete(row.task)
    return canceling.passedOn
  }

  /** Sets the one timer for the next wait that ends. */
  async function watchExpiry(): Promise<void> {
    try {
      let next = store.writing.tasks.nextExpiry() ?? undefined
      if (next !== undefined && next <= world.now()) next = await expire(core, start)
      if (next !== undefined) setExpiry(Math.min(Math.max(next - world.now(), 0), longestUnwatched))
    } catch (err) {
      if (closing.signal.aborted) return
      log.error({ err }, 'Waits that have expired could not be ended; trying again.')
      setExpiry(retryAfter)
    }
  }

  /** Purges what is due, and goes on when there is more. */
  async function sweep(): Promise<void> {
    try {
      later(await purge(core), sweep)
    } catch (err) {
      if (closing.signal.aborted) return
      log.error({ err }, 'Tasks that have ended could not be purged; trying again.')
      later(retryAfter, sweep)
    }
  }

  function setExpiry(ms: number): void {
    forget(expiry)
    expiry = later(ms, watchExpiry)
  }

  /** What an operator does is about this task. */
  const noteDecided = (taskId: string) => noteTask(store.committed.tasks.findForOperator(taskId))

  return {
    /** Takes up what was due when the process stopped, in the order in which it came up. */
    async open(): Promise<void> {
      for (const task of store.writing.tasks.due()) start(task)
      await watchExpiry()
      void sweep()
    },
    accept: (owner: string, request: Acceptable): Promise<Accepted> => accept(core, owner, request, start),
    /** Cancels the task, which is not terminal, and resolves when it is. @throws A2AError TaskNotCancelableError */
    async cancel(row: TaskRow, metadata?: Struct): Promise<void> {
      await requestCancel(core, row, metadata)
      await cancelNow(store.writing.tasks.get(row.task)!)
    },
    decide(request: DecisionRequest): Promise<Decision> {
      noteDecided(request.taskId)
      return decide(core, request, start)
    },
    revoke(request: Revocation): Promise<Decision> {
      noteDecided(request.taskId)
      return revoke(core, request)
    },
    turns: turns.counts,
    /** Stops all runs without a word to their tasks: the next start takes them up again. */
    close(): void {
      closing.abort()
      for (const timer of timers) clearTimeout(timer)
      for (const run of live.values()) run.freeze()
    },
  }
}
