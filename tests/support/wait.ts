// Waits for what a test expects to become true: looks again until it is, and says what was missing when it never is.
import { setTimeout as pause } from 'node:timers/promises'
import type { Task } from '@a2a-kit/task-core/protocol'
import type { Probe } from './probe.ts'

type Truthy<T> = Exclude<T, false | 0 | '' | null | undefined>

/** Resolves with the first truthy value of `look`. @throws Error that names `what`, after 20 s */
export async function until<T>(what: string, look: () => T | Promise<T>): Promise<Truthy<T>> {
  const deadline = Date.now() + 20_000
  for (;;) {
    const found = await look()
    if (found) return found as Truthy<T>
    if (Date.now() > deadline) throw new Error(`This never came: ${what}`)
    await pause(20)
  }
}

/** The task, once it is in one of `states` (named without TASK_STATE_). */
export function untilState(probe: Pick<Probe, 'call'>, id: string, ...states: string[]): Promise<Task> {
  return until(`task ${id} in ${states.join(' or ')}`, async () => {
    const { result } = await probe.call('JSONRPC', 'GetTask', { id })
    return states.includes(result?.status.state.replace('TASK_STATE_', '')) && result
  })
}
