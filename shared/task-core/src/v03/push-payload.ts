// What is posted to the webhook of a config that a 0.3 client made: the task as it is then (§9.5 of 0.3).
import { foldOnto, taskAt } from '../feed/task-at.ts'
import type { Task } from '../protocol/index.ts'
import type { EventReader } from '../store/index.ts'
import { jsonShape } from './shape.ts'

/**
 * The body for each event of a task. Remembers the task as it was told last, so that a long run of chunks to one receiver is
 * folded once.
 */
export function createPayload03() {
  let last: { key: number; n: number; task: Task } | undefined

  return ({ n }: { n: number }, key: number, events: Pick<EventReader, 'between'>): string => {
    const before = last?.key === key && last.n <= n ? last : undefined
    const task = before ? foldOnto(before.task, events.between(key, before.n, n)) : taskAt(events, key, n)
    last = { key, n, task }
    return JSON.stringify(jsonShape.task(task))
  }
}
