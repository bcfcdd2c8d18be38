// Cancels a task: stores the request, stops the run, passes it on, and writes the end.
import type { CanceledTask } from '../define-agent.ts'
import {
  A2AError,
  isTerminal,
  type Message,
  type Part,
  partsOf,
  type Struct,
  type TaskState,
} from '../protocol/index.ts'
import { StoreError, type TaskRow } from '../store/index.ts'
import { taskNotFound } from './accept.ts'
import type { FollowRecord } from './calls/followed.ts'
import { createStep } from './calls/step.ts'
import { type Core, never } from './core.ts'
import { createJournal, type StepRecord } from './journal.ts'
import type { Run } from './run.ts'

export const notCancelable = (taskId: string, state: TaskState): A2AError =>
  new A2AError('TaskNotCancelableError', `The task has already ended in ${state}.`, {
    metadata: { taskId, state },
  })

/**
 * Stores that the task is to be canceled; it stays so across a restart.
 * @throws A2AError TaskNotCancelableError if it has ended (§3.1.5), TaskNotFoundError if it is being purged
 */
export function requestCancel(
  { store, writer }: Core,
  { task, id }: Pick<TaskRow, 'task' | 'id'>,
  metadata?: Struct,
): Promise<void> {
  const { tasks } = store.writing
  return store.write(() => {
    const row = tasks.get(task)
    if (!row) throw taskNotFound(id)
    if (isTerminal(row.state)) throw notCancelable(row.id, row.state)
    if (row.cancel) return
    row.cancel = JSON.stringify({ metadata: metadata ?? {} })
    row.due ??= writer.nextDue()
    tasks.saveWork(row)
  })
}

export interface CancelWork {
  /** The run that was under way, as it was stopped. */
  frozen: ReturnType<Run['freeze']> | undefined
  /** Passes the cancel on to another agent whose task is open, and says what came of it. */
  passOn: () => Promise<string[]>
  /** Aborts when the process stops: the next start carries the cancel out. */
  closing: AbortSignal
}

/**
 * Carries a stored cancel out, once the run was frozen: waits for the open step as long as `cancelGrace`, lets an open follow and the agent's
 * `canceled` pass it on, and writes TASK_STATE_CANCELED with what was done.
 * @throws StoreError, and nothing was written: try again
 */
export async function carryOutCancel(
  core: Core,
  row: TaskRow,
  { frozen, passOn, closing }: CancelWork,
): Promise<void> {
  const { agent, store, writer, settings, log } = core
  const inTime = frozen === undefined || (await within(settings.cancelGrace, frozen.settled, closing))
  if (closing.aborted) return never()
  const passedOn = await passOn()
  if (closing.aborted) return never()
  const { tasks } = store.writing
  const done = doneBefore(core, row.task)
  const unfinished = inTime ? undefined : frozen?.open?.replace(/^(step|follow):/, '')
  let words: Part[] | undefined
  try {
    const content = await agent.canceled?.(canceledTask(core, row, done, unfinished, closing))
    if (content) words = partsOf(content)
  } catch (err) {
    if (closing.aborted) return never()
    if (err instanceof StoreError) throw err
    log.error({ err, taskId: row.id }, "The agent's canceled() failed.")
  }
  const standard = [
    done.length > 0 ? `Canceled. Done before that: ${done.join(', ')}.` : 'Canceled. Nothing was done.',
    ...(unfinished ? [`"${unfinished}" was still running and may finish.`] : []),
  ].join(' ')
  const said = [...(words ?? partsOf(standard)), ...passedOn.map((text) => ({ text: ` ${text}` }))]
  await store.write(() => {
    const now = tasks.get(row.task)!
    if (isTerminal(now.state)) return
    writer.status(now, 'TASK_STATE_CANCELED', { message: writer.say(now, said) })
  })
}

/** The names of the steps and the followed tasks that were finished, in order. */
function doneBefore({ store }: Core, task: number): string[] {
  return store.writing.records.all(task).flatMap(({ key, value }) => {
    const [, kind, name] = /^(step|follow):(.*)#\d+$/.exec(key) ?? []
    const finished =
      kind === 'step' ? !('error' in (value as StepRecord)) : Boolean((value as FollowRecord)?.result)
    return name !== undefined && finished ? [name] : []
  })
}

function canceledTask(
  core: Core,
  row: TaskRow,
  done: string[],
  unfinished: string | undefined,
  closing: AbortSignal,
): CanceledTask {
  const { records } = core.store.writing
  const history = JSON.parse(row.history) as Message[]
  const { metadata } = JSON.parse(row.cancel ?? '{}') as { metadata?: Struct }
  const step = createStep({
    core,
    first: row,
    journal: createJournal(core, row.task, 'canceled/'),
    signal: closing,
    row: () => core.store.writing.tasks.get(row.task)!,
    call: (_name, work) => work(),
    fresh: async () => {},
    stop: () => {},
  })
  return {
    id: row.id,
    contextId: row.contextId,
    message: history[0]!,
    requestMetadata: metadata ?? {},
    done,
    ...(unfinished === undefined ? {} : { unfinished }),
    result<T>(name: string, occurrence = 1) {
      const record = records.get<StepRecord>(row.task, `step:${name}#${occurrence}`)
      return record && 'value' in record ? (record.value as T) : undefined
    },
    step,
  }
}

/** True if `settled` resolves within `ms`; false at once when `closing` aborts. */
async function within(ms: number, settled: Promise<unknown>, closing: AbortSignal): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const late = () => resolve(false)
  const timer = setTimeout(late, ms)
  closing.addEventListener('abort', late)
  void settled.then(() => resolve(true))
  const inTime = await promise
  clearTimeout(timer)
  closing.removeEventListener('abort', late)
  return inTime
}
