// `authorize`: the wait for an approval that arrives outside the protocol, TASK_STATE_AUTH_REQUIRED (§7.6.1).
import { hash } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { AuthorizationRequest, Decision } from '../../define-agent.ts'
import { type ApprovalRequest, approvalExtension, type Struct } from '../../protocol/index.ts'
import { never } from '../core.ts'
import type { Run } from '../run.ts'

/** What an approval is bound to: SHA-256 over the operation's canonical JSON (RFC 8785), in hex. */
export const digestOf = (operation: Struct): string => hash('sha256', canonicalize(operation) ?? '', 'hex')

export function createAuthorize({ core, journal, row, call, park, first, fresh }: Run) {
  const { store, writer, world, settings } = core
  const { authorizations } = store.writing

  return function authorize({ operation, explain }: AuthorizationRequest): Promise<Decision> {
    const digest = digestOf(operation)
    const approveUrl = core.approveUrl(first.id)
    const key = journal.next('authorize', digest)
    return call('authorize', async () => {
      const known = journal.get<Decision>(key)
      if (known) return known
      await fresh()
      await store.write(() => {
        const now = row()
        const time = world.now()
        authorizations.voidOthers(first.task, digest, time)
        const same = authorizations.find(first.task, digest)
        const expiresAt = same?.outcome === null ? same.expiresAt : time + settings.approvalTtl * 1000
        if (same?.outcome !== null) authorizations.open(first.task, digest, operation, time, expiresAt)
        const asked: ApprovalRequest = {
          operation,
          digest,
          expiresAt: new Date(expiresAt).toISOString(),
          approveUrl,
          denyUrl: core.denyUrl(first.id),
        }
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
