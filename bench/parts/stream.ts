// Part `stream`: SendStreamingMessage, from the message to the end of its stream.
import { checkSame, events, framesOf, post, sendStreamingMessage, story, storyOf, tasksOnce } from '../a2a.ts'
import { closedLoop, type Timed } from '../closed-loop.ts'
import { connections } from '../load.ts'
import type { Peer } from '../peer.ts'
import type { PartResult } from '../report.ts'
import { percentile } from '../rounds.ts'
import { atLeast, atMost } from '../targets.ts'
import { allOf, type Column, compare, kitColumn, kitTo, rateOf } from './compare.ts'
import type { PartOptions } from './part.ts'
import { synchronous } from './send.ts'

const p50 = (run: Timed) => percentile(run.first, 0.5)
const p99 = (run: Timed) => percentile(run.first, 0.99)

const firstEvent: Column<Timed>[] = [
  ['first event p50 ms', (own) => allOf(own, p50)],
  ['p99 ms', (own) => allOf(own, p99)],
  ['p99: kit / this', kitColumn(p99)],
]

export async function stream(options: PartOptions): Promise<PartResult> {
  const { startPeer, seconds } = options
  const kit = await startPeer('kit')
  const memory = await startPeer('sdk')
  const sqlite = await startPeer('sdk', { env: { SQLITE_SYNCHRONOUS: synchronous } })
  const told = await post(kit.url, sendStreamingMessage(story))
  const frames = framesOf(told).map((frame) => /^data: (.*)$/m.exec(frame)![1])
  const bare = await startPeer('bare-stream', { env: { FRAMES: JSON.stringify(frames) } })
  checkSame(await post(bare.url, sendStreamingMessage(story)), told)

  const body = () => sendStreamingMessage(story)
  const on =
    (peer: Peer, check = () => tasksOnce(storyOf)) =>
    () =>
      closedLoop(peer, { connections, seconds, body, check: check() })
  const { measured, table } = await compare(options, {
    title: `SendStreamingMessage, to the end of a stream of ${events} events, ${connections} connections`,
    unit: 'streams',
    runs: {
      kit: on(kit),
      memory: on(memory),
      sqlite: on(sqlite),
      bare: on(bare, () => (stream) => checkSame(stream, told)),
    },
    more: firstEvent,
  })
  return {
    tables: [table],
    targets: [
      atLeast({
        what: 'Streams',
        against: 'SDK in memory',
        asked: 2.5,
        aim: 3,
        unit: 'times',
        reached: kitTo(measured.kit, measured.memory, rateOf),
      }),
      atMost({
        what: 'First event, p99',
        against: 'SDK in memory',
        asked: 1 / 3,
        unit: 'times',
        reached: kitTo(measured.kit, measured.memory, p99),
      }),
    ],
  }
}
