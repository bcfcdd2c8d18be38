// Part `left`: what is still there after subscribers have left, in each way in which clients leave.

import type { Peer } from '../peer.ts'
import { figure, type PartResult } from '../report.ts'
import type { Holdings } from '../servers/holdings.ts'
import { flags, leave, type Subscriber, subscribe } from '../subscribers.ts'
import { atMost } from '../targets.ts'
import { waitingTask, waitsSince } from '../waiting-task.ts'
import type { PartOptions } from './part.ts'

const mebi = 1024 * 1024

/** More in all than a connection takes without its client's reading: it stalls. */
const chunkCount = 8
const chunkSize = mebi

/** How far the heap may be above where it was: what compiled code and caches make of it. */
const tolerance = 1

export async function left({ startPeer, rounds, quick, say }: PartOptions): Promise<PartResult> {
  const [atRest, inFrame, slow] = quick ? [50, 5, 3] : [2_900, 80, 19]
  const count = atRest + inFrame + slow + 1 // and one who reads to the end
  // Who comes after takes the places of those who have left: there are no others.
  const kit = await startPeer('kit', {
    env: { STREAM_ARTIFACTS: 'true', MAX_STREAMS_PER_CALLER: `${count}` },
    flags,
  })
  const quiet = await waitingTask(kit.url)

  async function comeAndGo(): Promise<void> {
    const resting = await subscribe(kit.url, quiet.subscription, atRest, waitsSince)
    const stalled = await leaveInFrames(kit, inFrame, slow)
    await leave([...resting, ...stalled], kit)
  }

  const title = `After ${figure(count)} subscribers have left`
  say(`\n${title}`)
  await comeAndGo() // once without measuring, so that code is compiled and caches are filled
  const before = await state(kit)
  const heaps: number[] = []
  let after = before
  for (let round = 1; round <= rounds; round += 1) {
    say(`  round ${round} of ${rounds}`)
    await comeAndGo()
    after = await state(kit)
    heaps.push(after.heap)
  }
  const grown = (after.heap - before.heap) / mebi
  const held = after.responses + after.watches + Math.max(0, after.timers - before.timers)
  return {
    tables: [
      {
        title,
        columns: ['heap MiB', 'responses', 'watches', 'timers'],
        rows: [
          { name: 'before', values: [before.heap / mebi, before.responses, before.watches, before.timers] },
          ...heaps.map((heap, nth) => ({
            name: `round ${nth + 1}`,
            values: [heap / mebi, null, null, null],
          })),
          { name: 'after', values: [after.heap / mebi, after.responses, after.watches, after.timers] },
        ],
        verdict: `${figure(atRest)} left at rest, ${inFrame} in the middle of a frame, ${slow} had not read, and one had read to the end.`,
      },
    ],
    targets: [
      atMost({
        what: `Held for ${figure(count)} subscribers who have left`,
        asked: 0,
        unit: 'objects',
        reached: held,
      }),
      atMost({
        what: `Heap after ${figure(rounds * count)} have left, beside that before`,
        asked: tolerance,
        unit: 'MiB more',
        reached: grown,
      }),
    ],
  }
}

interface State extends Holdings {
  /** Bytes, with what V8 counts as external. */
  heap: number
}

async function state(peer: Peer): Promise<State> {
  const holdings = await peer.ask<Holdings>('holdings')
  const { heapUsed, external } = await peer.memory()
  return { ...holdings, heap: heapUsed + external }
}

/** A task makes large events: `leaving` of its subscribers leave in the middle of the first. @returns `slow` more, who do not read them */
async function leaveInFrames(kit: Peer, leaving: number, slow: number): Promise<Subscriber[]> {
  const task = await waitingTask(kit.url)
  const all = await subscribe(kit.url, task.subscription, leaving + slow + 1, waitsSince)
  const [reader, ...others] = all as [Subscriber, ...Subscriber[]]
  const stalled = others.slice(leaving)
  for (const { socket } of stalled) socket.pause()
  const left = others.slice(0, leaving).map(async (one) => {
    await one.received(chunkSize / 2)
    one.leave()
  })
  const read = reader.received(chunkCount * chunkSize)
  await Promise.all([...left, read, task.tell(`chunks ${chunkCount} of ${chunkSize}`)])
  reader.leave()
  return stalled
}
