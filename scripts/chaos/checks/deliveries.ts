// What came to the webhook, against the log: each event taken at least once, in order, with its token, and nothing for anybody else.
import { isDeepStrictEqual } from 'node:util'
import type { Expect } from '../../crash/check.ts'
import type { Told } from '../scene.ts'
import type { Webhook } from '../webhook.ts'
import type { Logged } from './database.ts'

/** Whether the last event of the log has come, so that there is nothing more to wait for. */
export function hasAll({ push }: Told, { frames }: Logged, webhook: Webhook): boolean {
  const last = push && webhook.came(push.path).at(-1)
  return !push || (last?.taken === true && isDeepStrictEqual(last.event, frames.at(-1)))
}

export function checkDeliveries(told: Told, { frames }: Logged, webhook: Webhook, expect: Expect): void {
  if (!told.push) return
  const says: Expect = (holds, problem) => expect(holds, `${told.story}, webhook: ${problem}`)
  const { path, token } = told.push
  let last = 0
  let taken = true
  for (const delivery of webhook.came(path)) {
    says(delivery.token === token, `a delivery had the token ${delivery.token}`)
    const is = (n: number) => isDeepStrictEqual(delivery.event, frames[n - 1])
    if (is(last + 1)) {
      says(taken, `event ${last + 1} came before ${last} was taken`)
      last += 1
      taken = delivery.taken
      continue
    }
    // What was not known to be taken comes again, and nothing older does.
    says(last > 0 && is(last), `after event ${last} came ${JSON.stringify(delivery.event).slice(0, 200)}`)
    taken ||= delivery.taken
  }
  says(last === frames.length, `${last} of ${frames.length} events came`)
  says(taken, `event ${last} was not taken, and did not come again`)
}
