// Part `chunks`: one artifact of many chunks, each an event of its own, and how the time grows with their number.
import { checkEvents, completedTask, post, sendMessage } from '../a2a.ts'
import { figure, type PartResult } from '../report.ts'
import { inRounds, ratios, spread } from '../rounds.ts'
import { atMost } from '../targets.ts'
import type { PartOptions } from './part.ts'

const few = 1_000
const many = 4_000

export async function chunks({ startPeer, rounds, say }: PartOptions): Promise<PartResult> {
  const kit = await startPeer('kit', { env: { STREAM_ARTIFACTS: 'true' } })
  /** Seconds from the message to the completed task. */
  const time = (count: number) => async () => {
    const begun = performance.now()
    const reply = await post(kit.url, sendMessage(`chunks ${count}`))
    const seconds = (performance.now() - begun) / 1000
    await checkEvents(kit.url, completedTask(reply, count), count + 2)
    return seconds
  }
  const row = (count: number, times: number[]) => ({
    name: `${figure(count)} chunks`,
    values: [spread(times), spread(times.map((seconds) => (seconds / count) * 1e6))],
  })

  const title = `One artifact of ${figure(few)} and of ${figure(many)} chunks`
  say(`\n${title}, ${rounds + 1} rounds`)
  const measured = await inRounds(rounds, { few: time(few), many: time(many) }, say)
  const { median, low, high } = ratios(measured.many, measured.few)
  return {
    tables: [
      {
        title,
        columns: ['seconds', 'µs/chunk'],
        rows: [row(few, measured.few), row(many, measured.many)],
        verdict: `${many / few} times the chunks take ${figure(median)} (${figure(low)} - ${figure(high)}) times as long: ${growthOf(median)}.`,
      },
    ],
    targets: [
      atMost({ what: '4,000 appended chunks', asked: 0.5, unit: 's', reached: spread(measured.many) }),
    ],
  }
}

/** Proportional growth gives `many / few`, quadratic growth its square; the border is halfway, as factors go. */
export const growthOf = (factor: number): string =>
  factor < (many / few) ** 1.5 ? 'growth is linear' : 'growth is not linear'
