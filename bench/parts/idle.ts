// Part `idle`: what a subscription to a task that waits keeps in memory, beside an SSE stream of bare Fastify.

import { startBareSubscriptions } from '../bare-subscriptions.ts'
import type { Peer } from '../peer.ts'
import { figure, type PartResult } from '../report.ts'
import { inRounds, ratios, spread } from '../rounds.ts'
import { flags, leave, subscribe } from '../subscribers.ts'
import { atMost } from '../targets.ts'
import { waitingTask, waitsSince } from '../waiting-task.ts'
import { named } from './compare.ts'
import type { PartOptions } from './part.ts'

interface PerStream {
  /** Bytes of heap and of what V8 counts as external. */
  heap: number
  /** Bytes of resident memory. */
  rss: number
}

export async function idle({ startPeer, rounds, quick, say }: PartOptions): Promise<PartResult> {
  const count = quick ? 100 : 1_000
  const kit = await startPeer('kit', { flags })
  const { subscription } = await waitingTask(kit.url)
  const bare = await startBareSubscriptions(kit, startPeer)

  const perStream = (peer: Peer) => async (): Promise<PerStream> => {
    const before = await peer.memory()
    const all = await subscribe(peer.url, subscription, count, waitsSince)
    const after = await peer.memory()
    await leave(all, peer)
    return {
      heap: (after.heapUsed + after.external - before.heapUsed - before.external) / count,
      rss: (after.rss - before.rss) / count,
    }
  }

  const title = `${figure(count)} subscriptions at rest`
  say(`\n${title}`)
  const measured = await inRounds(rounds, { bare: perStream(bare), kit: perStream(kit) }, say)
  const heaps = (name: 'bare' | 'kit') => measured[name].map(({ heap }) => heap)
  const row = (name: 'bare' | 'kit') => ({
    name: named[name],
    values: [
      spread(heaps(name)),
      ratios(heaps(name), heaps('bare')),
      spread(measured[name].map(({ rss }) => rss)),
    ],
  })
  return {
    tables: [
      {
        title,
        columns: ['bytes of heap each', 'times bare Fastify', 'bytes of resident memory each'],
        rows: [row('bare'), row('kit')],
        verdict:
          'Resident memory grows in steps, and stays for the next round: the heap is what a stream takes.',
      },
    ],
    targets: [
      atMost({
        what: `Memory of ${figure(count)} subscriptions`,
        against: named.bare,
        asked: 1.15,
        unit: 'times',
        reached: ratios(heaps('kit'), heaps('bare')),
      }),
    ],
  }
}
