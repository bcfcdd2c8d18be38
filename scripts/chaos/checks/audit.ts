// The audit log of each request for approval: asked for, decided once, and used once, only after it was approved and not taken back.
import type { Expect } from '../../crash/check.ts'
import type { Logged } from './database.ts'

/** What may come after what; `asked` again is a new request of the same operation. */
const mayFollow: Record<string, readonly string[]> = {
  asked: ['message', 'approved', 'denied', 'expired', 'void'],
  message: ['message', 'approved', 'denied', 'expired', 'void'],
  approved: ['used', 'revoked', 'expired', 'void'],
  denied: ['asked'],
  revoked: ['asked'],
  expired: ['asked'],
  void: ['asked'],
  used: ['asked'],
}

export function checkAudit({ id, audit }: Pick<Logged, 'id' | 'audit'>, expect: Expect): void {
  for (const digest of new Set(audit.map((entry) => entry.digest))) {
    const actions = audit.filter((entry) => entry.digest === digest).map(({ action }) => action)
    const says: Expect = (holds, problem) =>
      expect(holds, `task ${id}, request ${digest.slice(0, 8)}: ${problem}`)
    says(actions[0] === 'asked', `it was ${actions[0]} before it was asked for`)
    actions.slice(1).forEach((action, index) => {
      const before = actions[index]!
      says(mayFollow[before]?.includes(action) === true, `the audit log says ${before}, ${action}`)
    })
  }
}
