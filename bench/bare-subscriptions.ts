// Bare Fastify as the peer of the kit's subscriptions: it sends the very frames that the kit does.

import type { PartOptions } from './parts/part.ts'
import type { Peer } from './peer.ts'
import { checkFrame, flags, Subscriber } from './subscribers.ts'
import { waitingTask, waitsSince } from './waiting-task.ts'

/** Starts it, with the frames that a subscriber of the kit gets: the task, and the event that an answer makes. */
export async function startBareSubscriptions(kit: Peer, startPeer: PartOptions['startPeer']): Promise<Peer> {
  const task = await waitingTask(kit.url)
  const subscriber = new Subscriber(kit.url, task.subscription)
  const first = await subscriber.frame()
  checkFrame(first, waitsSince, 'TASK_STATE_INPUT_REQUIRED')
  const [next] = await Promise.all([subscriber.frame(), task.tell('hang')])
  checkFrame(next, waitsSince + 1, 'TASK_STATE_WORKING')
  subscriber.leave()
  await task.cancel()
  return startPeer('bare-subscriptions', { flags, env: { FIRST: dataOf(first), NEXT: dataOf(next) } })
}

const dataOf = (frame: string): string => frame.slice(frame.indexOf('data: ') + 'data: '.length)
