// Passes another task's wait up: this task waits too, in the other's words, and goes on when the other does.
import { isInterrupted, isTerminal, type TaskStatus, textOf, valuesOf } from '../../protocol/index.ts'
import type { Run } from '../run.ts'

/**
 * Moves this task to the state in which `agent`'s task waits, under the key `wait`, and does `note` in the same commit. The context is
 * free for others meanwhile.
 */
export async function mirrorWait(
  run: Run,
  agent: string,
  status: TaskStatus,
  { wait, refusal, note }: { wait: string; refusal?: string | undefined; note: () => void },
): Promise<void> {
  const { store, writer } = run.core
  await store.write(() => {
    const row = run.row()
    if (row.wait === wait || row.cancel || isTerminal(row.state)) return
    note()
    const asks = status.state === 'TASK_STATE_INPUT_REQUIRED' ? 'asks' : 'waits for an approval'
    const refused = refusal === undefined ? '' : `${agent} did not take the message: "${refusal}" `
    const words = `${refused}${agent} ${asks}: "${textOf(status.message)}"`
    const message = writer.say(row, words, valuesOf(status.message))
    writer.status(row, status.state, { message, wait, work: true })
  })
  run.yieldTurn()
}

/** Goes back to work after a mirrored wait of the call `key`; does nothing if there was none. */
export async function resumeWork(run: Run, key: string): Promise<void> {
  const { store, writer } = run.core
  await run.resumeTurn()
  if (!isInterrupted(run.row().state)) return
  await store.write(() => {
    const row = run.row()
    if (!row.wait?.startsWith(`${key}/`) || row.cancel) return
    writer.status(row, 'TASK_STATE_WORKING', { work: true })
  })
}
