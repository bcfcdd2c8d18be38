// Cancels a task: stores the request, stops the run, passes it on, and writes the end.
import type { CanceledTask } from '../define-agent.ts'
import {
  A2AError,
  type Content,
  isTerminal,
  type Message,
  partsOf,
  type Struct,
  type TaskState,
} from '../protocol/index.ts'
import type { TaskRow } from '../store/index.ts'
import type { FollowRecord } from './calls/followed.ts'
import { createStep } from './calls/step.ts'
import type { Core } from './core.ts'
import { createJournal, type StepRecord } from './journal.ts'
import type { Run } from './run.ts'

export const notCancelable = (taskId: string, state: TaskState): A2AError =>
  new A2AError('TaskNotCancelableError', `The task has already ended in ${state}.`, {
    metadata: { taskId, state },
  })

/**
 * Stores that the task is to be canceled; it stays so across a restart.
 * @throws A2AError TaskNotCancelableError if it has ended (§3.1.5)
 */
export function requestCancel({ store, writer }: Core, task: number, metadata?: Struct): Promise<void> {
  const { tasks } = store.writing
  return store.write(() => {
    const row = tasks.get(task)!
    if (isTerminal(row.state)) throw notCancelable(row.id, row.state)
    if (row.cancel) return
    row.cancel = JSON.stringify({ metadata: metadata ?? {} })
    row.due ??= writer.nextDue()
    tasks.saveCancel(row)
  })
}

/**
 * Carries a stored cancel out, once the run was frozen: waits for the open step as long as `cancelGrace`, lets an open follow and the agent's
 * `canceled` pass it on, and writes TASK_STATE_CANCELED with what was done.
 */
export async function carryOutCancel(
  core: Core,
  row: TaskRow,
  frozen: ReturnType<Run['freeze']> | undefined,
  passOn: () => Promise<string[]>,
): Promise<void> {
  const { agent, store, writer, settings, log } = core
  const inTime = frozen === undefined || (await within(settings.cancelGrace, frozen.settled))
  const passedOn = await passOn()
  const { tasks } = store.writing
  const done = doneBefore(core, row.task)
  const unfinished = inTime ? undefined : frozen?.open?.replace(/^step:/, '')
  let words: Content | undefined
  try {
    words = (await agent.canceled?.(canceledTask(core, row, done, unfinished))) ?? undefined
  } catch (err) {
    log.error({ err, taskId: row.id }, "The agent's canceled() failed.")
  }
  const standard = [
    done.length > 0 ? `Canceled. Done before that: ${done.join(', ')}.` : 'Canceled. Nothing was done.',
    ...(unfinished ? [`"${unfinished}" was still running and may finish.`] : []),
  ].join(' ')
  const said = [...partsOf(words ?? standard), ...passedOn.map((text) => ({ text: ` ${text}` }))]
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
): CanceledTask {
  const { records } = core.store.writing
  const history = JSON.parse(row.history) as Message[]
  const { metadata } = JSON.parse(row.cancel ?? '{}') as { metadata?: Struct }
  const step = createStep({
    core,
    first: row,
    journal: createJournal(core, row.task, 'canceled/'),
    signal: new AbortController().signal,
    row: () => core.store.writing.tasks.get(row.task)!,
    call: (_name, work) => work(),
    fresh: async () => {},
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

/** True if `settled` resolves within `ms`. */
async function within(ms: number, settled: Promise<unknown>): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), ms)
  void settled.then(() => resolve(true))
  const inTime = await promise
  clearTimeout(timer)
  return inTime
}
