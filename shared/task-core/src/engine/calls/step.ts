// `step`: a side effect that is done once and remembered.
import { setTimeout as pause } from 'node:timers/promises'
import { type Approval, RateLimited, type StepContext, TaskError } from '../../define-agent.ts'
import { isTerminal } from '../../protocol/index.ts'
import { StoreError } from '../../store/index.ts'
import type { StepFailure, StepRecord } from '../journal.ts'
import type { Run } from '../run.ts'
import { createChunks } from './chunks.ts'
import { useApproval } from './use.ts'

export type StepRun = Pick<Run, 'core' | 'journal' | 'row' | 'call' | 'signal' | 'first' | 'fresh' | 'stop'>

/** How long the store is left alone that did not take what a step came to, in ms. */
const retryAfter = 500

export function createStep(run: StepRun) {
  const { core, journal, row, signal } = run
  const { store, world } = core

  return function step<T>(
    name: string,
    work: (step: StepContext) => Promise<T> | T,
    options: { approval?: Approval } = {},
  ): Promise<T> {
    const approval = approvalIn(options, name)
    const key = journal.next('step', name)
    return run.call(`step:${name}`, async () => {
      const known = journal.get<StepRecord>(key)
      if (known) return outcomeOf<T>(known)
      await run.fresh()
      if (approval) await useApproval(run, approval, key)
      signal.throwIfAborted() // What was stopped before it began does not begin.
      const chunks = createChunks(run, key)
      const context = { idempotencyKey: `${run.first.id}/${key}`, signal, out: { append: chunks.append } }
      let record: StepRecord
      world.moment('step:before')
      try {
        // Through JSON, so that the first run sees what every later one will.
        record = JSON.parse(JSON.stringify({ value: await work(context) })) as StepRecord
        chunks.checkEnded()
      } catch (error) {
        if (signal.aborted || error instanceof StoreError) throw error // stopped, not failed
        if (!(error instanceof TaskError))
          core.log.warn({ err: error, taskId: run.first.id, step: name }, 'A step failed.')
        record = { error: failureOf(error) }
      }
      world.moment('step:after')
      await written(() => {
        if (isTerminal(row().state)) return // canceled meanwhile: the task never changes again
        if ('error' in record) chunks.giveUp()
        else chunks.finish()
        journal.put(key, record)
      })
      return outcomeOf<T>(record)
    })
  }

  /** What was done is written as soon as the store takes it again: else it would be done again. */
  async function written(write: () => void): Promise<void> {
    for (;;) {
      try {
        store.append(write)
        return await store.stored()
      } catch (err) {
        if (!(err instanceof StoreError) || signal.aborted) throw err
        core.log.error(
          { err, taskId: run.first.id },
          'What a step came to could not be stored; trying again.',
        )
        await pause(retryAfter, undefined, { signal })
      }
    }
  }
}

/**
 * The approval that the step names.
 * @throws Error for options that name none: the work must not be done without a check that its author believes in
 */
function approvalIn(options: { approval?: Approval }, step: string): Approval | undefined {
  const names = Object.keys(options)
  if (names.length === 0 || (names.length === 1 && options.approval)) return options.approval
  throw new Error(`The options of step "${step}" may hold an approval, and hold ${names.join(', ')}.`)
}

function failureOf(error: unknown): StepFailure {
  if (error instanceof RateLimited) {
    return { message: error.said, forCaller: true, resetAt: error.resetAt.toISOString() }
  }
  const message = error instanceof Error ? error.message : String(error)
  return { message, forCaller: error instanceof TaskError }
}

function outcomeOf<T>(record: StepRecord): T {
  if (!('error' in record)) return record.value as T
  const { message, forCaller, resetAt } = record.error
  if (resetAt !== undefined) throw new RateLimited(new Date(resetAt), message)
  throw forCaller ? new TaskError(message) : new Error(message)
}
