// Part `send`: blocking SendMessage, from the message to the completed task.
import {
  checkEvents,
  checkSame,
  completedTask,
  events,
  post,
  sendMessage,
  sendStreamingMessage,
  story,
  storyOf,
  tasksOnce,
} from '../a2a.ts'
import { connections, load } from '../load.ts'
import type { Peer } from '../peer.ts'
import type { PartResult } from '../report.ts'
import { atLeast } from '../targets.ts'
import { compare, kitTo, rateOf } from './compare.ts'
import type { PartOptions } from './part.ts'

/** How durable the SDK's store is: as the kit's by default. */
export const synchronous = 'NORMAL'

export async function send(options: PartOptions): Promise<PartResult> {
  const { startPeer, seconds } = options
  const kit = await startPeer('kit')
  const memory = await startPeer('sdk')
  const sqlite = await startPeer('sdk', { env: { SQLITE_SYNCHRONOUS: synchronous } })
  const full = await startPeer('kit', { env: { SQLITE_SYNCHRONOUS: 'FULL' } })
  for (const { url } of [kit, memory, sqlite, full]) storyOf(await post(url, sendStreamingMessage(story)))
  const reply = await post(kit.url, sendMessage(story))
  const bare = await startPeer('bare', { env: { REPLY: reply } })

  const body = () => sendMessage(story)
  const check = () => tasksOnce((text) => completedTask(text).id)
  const on = (peer: Peer) => () => load(peer, { seconds, body, check: check() })
  const onKit = (peer: Peer) => async () => {
    const run = await on(peer)()
    await checkEvents(peer.url, completedTask(run.lastReply), events)
    return run
  }
  const { measured, table } = await compare(options, {
    title: `SendMessage, blocking, to completed, ${events} events: a reply of ${reply.length} bytes, ${connections} connections`,
    unit: 'requests',
    runs: {
      kit: onKit(kit),
      memory: on(memory),
      sqlite: on(sqlite),
      bare: () => load(bare, { seconds, body, check: (text) => checkSame(text, reply) }),
      full: onKit(full),
    },
  })
  return {
    tables: [table],
    targets: [
      atLeast({
        what: 'SendMessage',
        against: 'SDK in memory',
        asked: 2.5,
        aim: 3,
        unit: 'times',
        reached: kitTo(measured.kit, measured.memory, rateOf),
      }),
      atLeast({
        what: 'SendMessage',
        against: 'SDK on SQLite',
        asked: 9,
        unit: 'times',
        reached: kitTo(measured.kit, measured.sqlite, rateOf),
      }),
    ],
  }
}
