// Part `send`: blocking SendMessage, from the message to the completed task.
import { checkEvents, completedTask, sendMessage } from '../a2a.ts'
import type { PartResult } from '../report.ts'
import { againstBare } from './against-bare.ts'
import type { PartOptions } from './part.ts'

/** Four events: submitted, working, the artifact, completed. */
export const script = 'working; artifact a b'
export const events = 4

export const send = (options: PartOptions): Promise<PartResult> =>
  againstBare(options, {
    title: 'SendMessage, blocking, to completed, four events',
    body: () => sendMessage(script),
    check: (reply) => void completedTask(reply, 1),
    checkAfter: (reply) => checkEvents(options.kit.url, completedTask(reply, 1), events),
  })
