// One run of an agent's function: its calls one at a time, each recorded; parked, frozen or ended.
import { RateLimited, TaskError } from '../define-agent.ts'
import { type Content, type ExtensionValues, isTerminal, retryAtExtension } from '../protocol/index.ts'
import { StoreError, type TaskRow } from '../store/index.ts'
import { type Core, never } from './core.ts'
import { createJournal, type Journal } from './journal.ts'
import { createSpans } from './spans.ts'
import type { Turn, Turns } from './turns.ts'

export type Run = ReturnType<typeof createRun>

/** How a run ended: `parked` and `frozen` leave the task as it is, `lost` wants it run again after a pause, `again` at once. */
export type RunEnd = 'finished' | 'parked' | 'frozen' | 'lost' | 'again'

/** How many events a run writes before it waits until they are stored: others have their turn then. */
const mostAhead = 64

/** What a run that only passes a cancel on has to say about it, sentence by sentence. */
export interface Canceling {
  passedOn: string[]
}

/**
 * A run of the task `first`. It begins by `drive`, which resolves when the run has ended.
 * With `canceling` nothing new is done: the first call that is not recorded ends the run, once an open follow has passed
 * the cancel on.
 */
export function createRun(core: Core, turns: Turns, first: TaskRow, canceling?: Canceling) {
  const { store, writer, log } = core
  const journal: Journal = createJournal(core, first.task)
  const controller = new AbortController()
  const ended = Promise.withResolvers<RunEnd>()
  let stopped = false
  let open: string | undefined
  let settling: Promise<unknown> = Promise.resolve()
  let turn: Turn | undefined
  const spans = createSpans(core, first)
  let woken = Promise.withResolvers<void>()
  let ahead = 0

  /** The row as the writer sees it. */
  const row = (): TaskRow => store.writing.tasks.get(first.task)!

  function stop(end: RunEnd): void {
    if (stopped) return
    stopped = true
    spans.endTurn()
    if (end !== 'frozen') turn?.end()
    if (end === 'lost') controller.abort() // where it waits for its turn, nobody waits for it there
    ended.resolve(end)
  }

  /** Runs one call of the agent's function. Its outcome is dropped if the run was stopped meanwhile. */
  function call<T>(name: string, work: () => Promise<T>): Promise<T> {
    const outcome = perform(name, work)
    outcome.catch(() => {}) // an agent that does not await it must not end the process
    return outcome
  }

  async function perform<T>(name: string, work: () => Promise<T>): Promise<T> {
    if (stopped) return never()
    if (open) {
      throw new Error(`${name} was called while ${open} is open: one call at a time, await each.`)
    }
    open = name
    const outcome = work()
    settling = outcome.catch(() => {})
    try {
      const value = await outcome
      open = undefined
      spans.endCall()
      return stopped ? await never() : value
    } catch (error) {
      open = undefined
      spans.endCall(error)
      if (error instanceof StoreError) lost(error)
      if (stopped) return never()
      throw error
    }
  }

  /** Before anything that is not recorded yet: a canceling run ends here, and what reaches beyond the task waits until all before it is stored. */
  async function fresh(): Promise<void> {
    await begin()
    await store.stored()
    if (stopped) throw new Error('The run was stopped before it came to this.') // which `perform` drops
  }

  async function begin(): Promise<void> {
    if (!canceling) return spans.beginCall(open!)
    stop('frozen')
    return never()
  }

  /** Writes an event in the turn that is open. The run goes on before it is stored, by so many events, and ends if it is not. */
  async function append(write: () => void): Promise<void> {
    await begin()
    store.append(() => {
      write()
      store.afterCommit(() => {}, lost)
    })
    ahead += 1
    if (ahead % mostAhead === 0 || store.isLarge()) await store.stored()
  }

  /** What this run goes by was not stored. */
  function lost(failure: StoreError): void {
    if (stopped) return
    log.error({ err: failure, taskId: first.id }, 'The store failed; the task is run again if it is stored.')
    stop('lost')
  }

  /** Ends the run while the task waits; for use inside `store.write`, as the last thing. */
  const park = () => store.afterCommit(() => stop('parked'))

  async function drive(agentFunction: () => Promise<Content | void>): Promise<RunEnd> {
    await takeTurn()
    if (!stopped) void runOnce(agentFunction)
    return ended.promise
  }

  async function takeTurn(): Promise<void> {
    turn = await turns.take(first.owner, first.contextId, controller.signal)
    if (stopped) turn?.end()
    else spans.beginTurn()
  }

  async function runOnce(agentFunction: () => Promise<Content | void>): Promise<void> {
    try {
      await complete(await agentFunction())
    } catch (error) {
      await fail(error)
    }
  }

  async function complete(content: Content | void): Promise<void> {
    if (stopped) return
    if (open) throw new Error(`The run ended while ${open} is open: await each call.`)
    const { waits, others } = journal.unread()
    if (others.length > 0)
      log.warn({ taskId: first.id, keys: others }, 'The run did not ask for these records.')
    if (waits.length > 0) {
      throw new Error(`The run ended without asking for what was answered: ${waits.join(', ')}`)
    }
    const { authorizations } = store.writing
    if (authorizations.hasLive(first.task) && authorizations.approved(first.task).length > 0) {
      const what = 'The task ends with an approval that no step has used: the step that acts must name it.'
      log.warn({ taskId: first.id }, what)
    }
    await finish('TASK_STATE_COMPLETED', content ?? undefined)
  }

  async function fail(error: unknown): Promise<void> {
    if (stopped) return
    if (error instanceof RateLimited) {
      const values = { [retryAtExtension]: { retryAt: error.resetAt.toISOString() } }
      return finish('TASK_STATE_FAILED', error.message, values)
    }
    if (error instanceof TaskError) return finish('TASK_STATE_FAILED', error.message)
    const reference = core.world.id('reference')
    log.error({ err: error, taskId: first.id, reference }, 'The agent failed.')
    return finish('TASK_STATE_FAILED', `The agent failed. Its log explains it under reference ${reference}.`)
  }

  /**
   * Ends the task, unless the run was stopped or something else ended it first.
   * @throws Error for content that is not JSON
   */
  async function finish(
    state: 'TASK_STATE_COMPLETED' | 'TASK_STATE_FAILED' | 'TASK_STATE_REJECTED',
    content?: Content,
    values?: ExtensionValues,
  ): Promise<void> {
    if (stopped) return
    try {
      await stored(() => {
        const now = row()
        if (isTerminal(now.state) || now.cancel || stopped) return
        writer.status(now, state, content === undefined ? {} : { message: writer.say(now, content, values) })
      })
      stop('finished')
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      lost(error)
    }
  }

  /** Writes the end: with it goes what an operator was asked, if there is something. */
  function stored(write: () => void): Promise<void> {
    if (store.writing.authorizations.hasLive(first.task)) return store.write(write)
    store.append(write)
    return store.stored()
  }

  return {
    core,
    scope: spans.scope,
    first,
    canceling,
    fresh,
    append,
    lost,
    journal,
    signal: controller.signal,
    row,
    call,
    park,
    drive,
    finish,
    isStopped: () => stopped,
    /** Ends the run without a word to the task. */
    stop,
    /**
     * Stops the run and aborts what it is doing. `settled` resolves when its open call has ended. The run keeps its turn until
     * `release`: its task has not ended yet.
     */
    freeze(): { settled: Promise<unknown>; open: string | undefined; release(): void } {
      stop('frozen')
      controller.abort()
      return { settled: settling, open, release: () => turn?.end() }
    },
    /** Leaves the context to others while the task waits for another agent; `resumeTurn` queues for it again. */
    yieldTurn() {
      spans.endTurn()
      turn?.end()
      turn = undefined
    },
    async resumeTurn(): Promise<void> {
      if (!turn) await takeTurn()
    },
    /** Tells a run that is alive while its task waits that there is something new in the records. */
    wake() {
      woken.resolve()
      woken = Promise.withResolvers()
    },
    woken: () => woken.promise,
  }
}
