// Part `get`: GetTask of a task that part `send` would make.
import { checkSame, completedTask, post, request, sendMessage, story } from '../a2a.ts'
import { connections, type Load, load } from '../load.ts'
import type { Peer } from '../peer.ts'
import type { PartResult } from '../report.ts'
import { atLeast } from '../targets.ts'
import { compare, kitTo, rateOf } from './compare.ts'
import type { PartOptions } from './part.ts'

export async function get(options: PartOptions): Promise<PartResult> {
  const { startPeer, seconds } = options
  const kit = await startPeer('kit')
  const counting = await startPeer('kit', { env: { METRICS_TOKEN: 'of-sixteen-characters' } })
  const memory = await startPeer('sdk')
  const ofKit = await taskOf(kit)
  const ofCounting = await taskOf(counting)
  const ofSdk = await taskOf(memory)
  const bare = await startPeer('bare', { env: { REPLY: ofKit.reply } })

  /** The reply is the same each time, and comparing it takes less of the load's time than reading it. */
  const on =
    (peer: Peer, { body, reply }: { body: string; reply: string }) =>
    (): Promise<Load> =>
      load(peer, { seconds, body, check: (text) => checkSame(text, reply) })
  const { measured, table } = await compare(options, {
    title: `GetTask: a reply of ${ofKit.reply.length} bytes, ${connections} connections`,
    unit: 'requests',
    runs: {
      kit: on(kit, ofKit),
      memory: on(memory, ofSdk),
      bare: on(bare, ofKit),
      counting: on(counting, ofCounting),
    },
  })
  const reached = kitTo(measured.kit, measured.bare, rateOf)
  return {
    tables: [table],
    targets: [atLeast({ what: 'GetTask', against: 'bare Fastify', asked: 0.6, unit: 'times', reached })],
  }
}

/** Makes a task, and resolves with a request for it and its checked reply. */
async function taskOf({ url }: Peer): Promise<{ body: string; reply: string }> {
  const { id } = completedTask(await post(url, sendMessage(story)))
  const body = request('GetTask', { id })
  const reply = await post(url, body)
  completedTask(reply)
  return { body, reply }
}
