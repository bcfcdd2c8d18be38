// Part `get`: GetTask of a task that part `send` would make.
import { checkEvents, completedTask, post, request, sendMessage } from '../a2a.ts'
import type { PartResult } from '../report.ts'
import { againstBare } from './against-bare.ts'
import type { PartOptions } from './part.ts'
import { events, script } from './send.ts'

export async function get(options: PartOptions): Promise<PartResult> {
  const kit = await options.startPeer('kit')
  const { url } = kit
  const task = completedTask(await post(url, sendMessage(script)), 1)
  await checkEvents(url, task, events)
  const body = request('GetTask', { id: task.id })
  return againstBare(options, {
    kit,
    title: 'GetTask',
    body: () => body,
    check: (reply) => void completedTask(reply, 1),
  })
}
