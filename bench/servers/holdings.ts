// What a server holds for clients: after they have left, nothing.
import { ServerResponse } from 'node:http'
import { queryObjects } from 'node:v8'
import { Watch } from '../../shared/task-core/src/feed/watch.ts'
import type { Answers } from './parent.ts'

export interface Holdings {
  timers: number
  /** Objects in the heap after a garbage collection: answers under way, with all that listens to them, and places in tasks' logs. */
  responses: number
  watches: number
}

const count = (of: abstract new (...words: never[]) => unknown): number =>
  queryObjects(of as new () => unknown, { format: 'count' }) as unknown as number

const active = (kind: string): number => process.getActiveResourcesInfo().filter((one) => one === kind).length

export const holdings: Answers = {
  connections: () => active('TCPSocketWrap'),
  holdings: (): Holdings => ({
    timers: active('Timeout'),
    responses: count(ServerResponse),
    watches: count(Watch),
  }),
}
