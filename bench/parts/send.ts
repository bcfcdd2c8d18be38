// Part `send`: blocking SendMessage, from the message to the completed task.
import { checkEvents, completedTask, sendMessage } from '../a2a.ts'
import type { PartResult } from '../report.ts'
import { againstBare } from './against-bare.ts'
import type { PartOptions } from './part.ts'

/** Four events: submitted, working, the artifact, completed. */
export const script = 'working; artifact a b'
export const events = 4

export async function send(options: PartOptions): Promise<PartResult> {
  const kit = await options.startPeer('kit')
  return againstBare(options, {
    kit,
    title: 'SendMessage, blocking, to completed, four events',
    body: () => sendMessage(script),
    check: (reply) => void completedTask(reply, 1),
    checkAfter: (reply) => checkEvents(kit.url, completedTask(reply, 1), events),
  })
}
