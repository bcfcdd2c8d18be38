// Uses an approval for a step: checked and recorded in a transaction of its own, before the step's work begins.
import type { Approval, Decision } from '../../define-agent.ts'
import { isTerminal } from '../../protocol/index.ts'
import { never } from '../core.ts'
import type { Run } from '../run.ts'

/**
 * Uses `approval` for the step with the key `step`; again for the same step, it is the same use. Where it holds no more, the run
 * ends and begins anew: its `authorize` then gives what became of it.
 * @throws Error when it was used for another step, or is no approval of this task
 */
export async function useApproval(
  { core, first, row, stop }: Pick<Run, 'core' | 'first' | 'row' | 'stop'>,
  { outcome, digest }: Approval,
  step: string,
): Promise<void> {
  const { store, world } = core
  const { authorizations, records } = store.writing
  // An author who does not look at the decision would have the run begin again for ever.
  if (outcome !== 'approved') throw new Error(`${step} names a decision that is ${outcome} as its approval.`)
  const holds = await store.write(() => {
    const found = authorizations.find(first.task, digest)
    if (!found?.call) throw new Error(`${step} names an approval that this task was never given.`)
    if (found.outcome !== 'approved') return false
    if (found.usedBy === step) return true
    if (found.usedBy !== null) {
      throw new Error(`${step} names an approval that ${found.usedBy} has used: ask for another one.`)
    }
    const now = row()
    if (now.cancel || isTerminal(now.state)) return false
    const time = world.now()
    if (time >= found.expiresAt) {
      const { call } = found
      authorizations.settle({ task: first.task, digest, outcome: 'expired', at: time, call })
      const at = new Date(time).toISOString()
      records.put(first.task, call, { outcome: 'expired', at, digest } satisfies Decision)
      return false
    }
    authorizations.use(first.task, digest, step, time)
    return true
  })
  if (holds) return
  stop('again')
  return never()
}
