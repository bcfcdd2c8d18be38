// The kit under load, in turn with a bare Fastify server that answers with the kit's own reply.
import { post } from '../a2a.ts'
import { connections, type Load, load } from '../load.ts'
import type { Peer } from '../peer.ts'
import type { PartResult, Table } from '../report.ts'
import { inRounds, ratios, spread } from '../rounds.ts'
import type { PartOptions } from './part.ts'

export interface Comparison {
  kit: Peer
  title: string
  body: () => string
  check: (reply: string) => void
  /** Looks at the last reply of each of the kit's runs. */
  checkAfter?: (reply: string) => Promise<void>
}

/** Measures the kit in turn with a bare peer that is started here. */
export async function againstBare(
  { startPeer, seconds, rounds, say }: PartOptions,
  { kit, title, body, check, checkAfter }: Comparison,
): Promise<PartResult> {
  const reply = await post(kit.url, body())
  check(reply)
  const what = `${title}: a reply of ${reply.length} bytes, ${connections} connections`
  say(`\n${what}, ${rounds + 1} rounds of ${2 * seconds} s`)
  const bare = await startPeer('bare', { env: { REPLY: reply } })
  const measured = await inRounds(
    rounds,
    {
      kit: async () => {
        const run = await load(kit, { seconds, body, check })
        await checkAfter?.(run.lastReply)
        return run
      },
      bare: () => load(bare, { seconds, body, check }),
    },
    say,
  )
  return { tables: [tableOf(what, measured)], targets: [] }
}

/** Below this a server that is under full load had to wait for something else. */
const busyEnough = 0.8

function tableOf(title: string, runs: Record<'bare' | 'kit', Load[]>): Table {
  const all = (name: 'bare' | 'kit', of: keyof Omit<Load, 'lastReply'>) => runs[name].map((run) => run[of])
  const row = (name: 'bare' | 'kit') => ({
    name,
    values: [
      spread(all(name, 'rate')),
      ratios(all(name, 'rate'), all('bare', 'rate')),
      spread(all(name, 'cpu')),
      ratios(all('bare', 'cpu'), all(name, 'cpu')),
      spread(all(name, 'busy')),
    ],
  })
  const waited = [...all('bare', 'busy'), ...all('kit', 'busy')].some((busy) => busy < busyEnough)
  return {
    title,
    columns: ['requests/s', 'as a ratio', 'server µs/request', 'as a ratio', 'server busy'],
    rows: [row('bare'), row('kit')],
    verdict: waited
      ? "A server was not busy all the time: the load or another process was the limit. Go by the servers' time."
      : 'Both servers were busy all the time.',
  }
}
