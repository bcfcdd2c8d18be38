// Part `chunks`: one artifact of many appended chunks, each an event of its own, and how the time grows with their number.
import { checkEvents, completedTask, post, sendMessage } from '../a2a.ts'
import type { Peer } from '../peer.ts'
import { figure, type PartResult, type Table } from '../report.ts'
import { inRounds, ratios, type Spread, spread } from '../rounds.ts'
import { atMost } from '../targets.ts'
import type { PartOptions } from './part.ts'

/** Each is four times the one before. */
const counts = [1_000, 4_000, 16_000] as const
const step = 4

/** Proportional growth gives `step`, quadratic growth its square; a quarter more than `step` is left to chance. */
const linear = step * 1.25

/** The SDK is asked for more chunks only where that is likely to take no longer than this, in seconds. */
const patience = 30

export async function chunks({ startPeer, rounds, quick, say }: PartOptions): Promise<PartResult> {
  const kit = await startPeer('kit', { env: { STREAM_ARTIFACTS: 'true' } })
  const sdk = await startPeer('sdk')
  const sizes = counts.map((count) => (quick ? count / 10 : count))
  const [few, some, many] = sizes as [number, number, number]
  say(`\nOne artifact of ${sizes.map(figure).join(', ')} appended chunks`)

  const ofKit = await inRounds(
    rounds,
    { few: () => kitTime(kit, few), some: () => kitTime(kit, some), many: () => kitTime(kit, many) },
    say,
  )
  const toSome = ratios(ofKit.some, ofKit.few)
  const toMany = ratios(ofKit.many, ofKit.some)
  return {
    tables: [
      {
        title: 'One artifact of many appended chunks, from the message to the completed task',
        columns: ['kit s', 'µs/chunk', `${step} times as many take`, 'SDK in memory s'],
        rows: tableRows(sizes, Object.values(ofKit), [null, toSome, toMany], await sdkTimes(sdk, sizes, say)),
        verdict: `The kit's growth is ${[toSome, toMany].every(isAtMostLinear) ? 'no worse' : 'worse'} than linear.`,
      },
    ],
    targets: [
      atMost({ what: `${figure(some)} appended chunks`, asked: 0.5, unit: 's', reached: spread(ofKit.some) }),
      growthTarget(few, some, toSome),
      growthTarget(some, many, toMany),
    ],
  }
}

export const isAtMostLinear = ({ median }: Spread): boolean => median <= linear

const growthTarget = (from: number, to: number, reached: Spread) =>
  atMost({
    what: `Time for ${figure(to)} chunks, in times of ${figure(from)}`,
    asked: linear,
    unit: 'times',
    reached,
  })

const tableRows = (
  sizes: number[],
  kit: number[][],
  growth: (Spread | null)[],
  sdk: (number | null)[],
): Table['rows'] =>
  sizes.map((count, at) => {
    const each = kit[at]!.map((seconds) => (seconds / count) * 1e6)
    return {
      name: `${figure(count)} chunks`,
      values: [spread(kit[at]!), spread(each), growth[at]!, sdk[at]!],
    }
  })

/** Seconds from the message to the completed task. */
async function time({ url }: Peer, count: number) {
  const begun = performance.now()
  const reply = await post(url, sendMessage(`chunks ${count}`))
  const seconds = (performance.now() - begun) / 1000
  const texts = Array.from({ length: count }, (_, nth) => `chunk-${nth + 1} `)
  return { seconds, task: completedTask(reply, texts) }
}

/** The same of the kit, which had each chunk as an event. */
async function kitTime(kit: Peer, count: number): Promise<number> {
  const { seconds, task } = await time(kit, count)
  await checkEvents(kit.url, task, count + 2)
  return seconds
}

/** One time for each number of chunks; null from the first that is likely to take too long. */
async function sdkTimes(sdk: Peer, sizes: number[], say: PartOptions['say']): Promise<(number | null)[]> {
  const times: (number | null)[] = sizes.map(() => null)
  let likely = 0
  for (const [at, count] of sizes.entries()) {
    if (likely > patience) break
    say(`  SDK in memory, ${figure(count)} chunks, once`)
    const { seconds } = await time(sdk, count)
    times[at] = seconds
    likely = seconds * step ** 2 // its time grows with their square
  }
  return times
}
