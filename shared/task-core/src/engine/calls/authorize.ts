// `authorize`: the wait for an approval that arrives outside the protocol, TASK_STATE_AUTH_REQUIRED (§7.6.1).
import { hash } from 'node:crypto'
import canonicalize from 'canonicalize'
import { type AuthorizationRequest, type Decision, TaskError } from '../../define-agent.ts'
import { type ApprovalRequest, approvalExtension, type Struct } from '../../protocol/index.ts'
import type { TaskRow } from '../../store/index.ts'
import { type Core, never } from '../core.ts'
import type { Run } from '../run.ts'
import { theAgent } from '../writer.ts'

/** What an approval is bound to: SHA-256 over the operation's canonical JSON (RFC 8785), in hex. */
export const digestOf = (operation: Struct): string => hash('sha256', canonicalize(operation) ?? '', 'hex')

/** The largest operation that a person can be asked to read, in characters of its JSON. */
const longest = 32 * 1024

/** @throws TaskError for what is too large to be read */
function checkReadable(operation: Struct): void {
  const { length } = JSON.stringify(operation)
  if (length <= longest) return
  throw new TaskError(
    `What an operator would have to approve has ${length} characters, and may have ${longest}: nobody could read it.`,
  )
}

/**
 * Where an operator decides on the request with `digest`. The links of every request but the task's first name its digest, so that
 * none decides on what it was not shown with.
 */
export function linksOf(
  core: Pick<Core, 'store' | 'approveUrl' | 'denyUrl'>,
  { task, id }: TaskRow,
  digest: string,
) {
  const which = core.store.writing.authorizations.count(task) > 1 ? `?digest=${digest}` : ''
  return { approveUrl: core.approveUrl(id) + which, denyUrl: core.denyUrl(id) + which }
}

export function createAuthorize({ core, journal, row, call, park, first, fresh }: Run) {
  const { store, writer, world, settings } = core
  const { authorizations } = store.writing

  return function authorize({ operation, explain }: AuthorizationRequest): Promise<Decision> {
    const digest = digestOf(operation)
    const key = journal.next('authorize', digest)
    return call('authorize', async () => {
      const known = journal.get<Decision>(key)
      if (known) return known
      await fresh()
      checkReadable(operation)
      await store.write(() => {
        const now = row()
        const time = world.now()
        authorizations.voidOthers(first.task, digest, time, theAgent, 'It asks for something else instead.')
        const same = authorizations.find(first.task, digest)
        const expiresAt = same?.outcome === null ? same.expiresAt : time + settings.approvalTtl * 1000
        if (same?.outcome !== null) authorizations.open(first.task, digest, operation, time, expiresAt)
        const { approveUrl, denyUrl } = linksOf(core, first, digest)
        const until = new Date(expiresAt).toISOString()
        const asked: ApprovalRequest = { operation, digest, expiresAt: until, approveUrl, denyUrl }
        writer.status(now, 'TASK_STATE_AUTH_REQUIRED', {
          message: writer.say(now, explain(approveUrl), { [approvalExtension]: { ...asked } }),
          wait: key,
          expiresAt,
          work: false,
        })
        park()
      })
      return never()
    })
  }
}
