// Finds which of a task's requests an operator means.
import { digestOfWait } from '../../engine/decide.ts'
import type { Authorization, TaskRow } from '../../store/index.ts'
import type { OperatorContext } from './context.ts'

interface Found {
  row?: TaskRow | undefined
  asked?: Authorization | undefined
  replacedBy?: string | undefined
}

/** The task `id` and its request with `digest`, as far as they are there; by default the one that waits, or else the last one. */
export function findRequest({ core }: OperatorContext, id: string, digest: string | undefined): Found {
  const { tasks, authorizations } = core.store.committed
  const row = tasks.findForOperator(id)
  if (!row) return {}
  const current = digestOfWait(row.wait)
  const wanted = digest ?? current
  const asked = wanted === undefined ? authorizations.latest(row.task) : authorizations.find(row.task, wanted)
  return { row, asked, replacedBy: asked && asked.digest !== current ? current : undefined }
}

/** The digest of what the task `id` last asked for besides `digest`, if it did. */
export function otherRequest({ core }: OperatorContext, id: string, digest = ''): string | undefined {
  const { tasks, authorizations } = core.store.committed
  const row = tasks.findForOperator(id)
  return row && authorizations.other(row.task, digest)
}
