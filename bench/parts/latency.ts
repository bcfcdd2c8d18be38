// Part `latency`: how long one client that is alone waits for a blocking SendMessage.
import { completedTask, sendMessage, story, tasksOnce } from '../a2a.ts'
import { closedLoop, type Timed } from '../closed-loop.ts'
import type { Peer } from '../peer.ts'
import type { PartResult } from '../report.ts'
import { percentile } from '../rounds.ts'
import { atMost } from '../targets.ts'
import { allOf, type Column, compare, kitColumn, kitTo } from './compare.ts'
import type { PartOptions } from './part.ts'

const p50 = (run: Timed) => percentile(run.whole, 0.5)
const p99 = (run: Timed) => percentile(run.whole, 0.99)

const waits: Column<Timed>[] = [
  ['p50 ms', (own) => allOf(own, p50)],
  ['p50: kit / this', kitColumn(p50)],
  ['p99 ms', (own) => allOf(own, p99)],
  ['p99: kit / this', kitColumn(p99)],
]

export async function latency(options: PartOptions): Promise<PartResult> {
  const { startPeer, seconds } = options
  const kit = await startPeer('kit')
  const memory = await startPeer('sdk')
  const full = await startPeer('kit', { env: { SQLITE_SYNCHRONOUS: 'FULL' } })

  const body = () => sendMessage(story)
  const check = () => tasksOnce((reply) => completedTask(reply).id)
  const on = (peer: Peer) => () => closedLoop(peer, { connections: 1, seconds, body, check: check() })
  const { measured, table } = await compare(options, {
    title: 'SendMessage, blocking, to completed, one connection',
    unit: 'requests',
    runs: { kit: on(kit), memory: on(memory), full: on(full) },
    more: waits,
  })
  const verdict = 'A server that has one client waits for it between its requests.'
  const reached = kitTo(measured.kit, measured.memory, p50)
  return {
    tables: [{ ...table, verdict }],
    targets: [
      atMost({ what: 'One connection, p50', against: 'SDK in memory', asked: 1, unit: 'times', reached }),
    ],
  }
}
