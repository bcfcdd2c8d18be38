// Part `fanout`: one event to everybody who watches a task, from the request that makes it to the last subscriber's having it.
import { post } from '../a2a.ts'
import { startBareSubscriptions } from '../bare-subscriptions.ts'
import type { Peer } from '../peer.ts'
import { figure, type PartResult, type Table } from '../report.ts'
import { inRounds, ratios, spread } from '../rounds.ts'
import { checkFrame, flags, leave, mostConnections, subscribe } from '../subscribers.ts'
import { atMost } from '../targets.ts'
import { waitingTask, waitsSince } from '../waiting-task.ts'
import { named } from './compare.ts'
import type { PartOptions } from './part.ts'

interface Sent {
  /** Milliseconds from the request that makes the event until the last subscriber has it. */
  ms: number
  /** Milliseconds of the server's processor time. */
  cpu: number
}

type Runs = Record<'bare' | 'kit', Sent[]>

/** What ten times the subscribers may take: ten times as long, and a fifth. */
const linear = 1.2

export async function fanout(options: PartOptions): Promise<PartResult> {
  const { startPeer, quick, say } = options
  const sizes = (quick ? [50, 500] : [1_000, 10_000]) as [number, number]
  const room = mostConnections()
  if (room < sizes[1]) {
    throw new Error(
      `${figure(sizes[1])} connections need more open files than the ${room} that are left here: raise \`ulimit -n\`.`,
    )
  }
  const kit = await startPeer('kit', { flags })
  const bare = await startBareSubscriptions(kit, startPeer)
  say(`\nOne event to ${figure(sizes[0])} and to ${figure(sizes[1])} subscribers`)
  const few = await measure(options, kit, bare, sizes[0])
  const many = await measure(options, kit, bare, sizes[1])
  const growth = ratios(times(many.kit), times(few.kit))
  return {
    tables: [tableOf(few, sizes[0]), tableOf(many, sizes[1])],
    targets: [
      ...[few, many].map((runs, nth) =>
        atMost({
          what: `One event to ${figure(sizes[nth]!)} subscribers`,
          against: named.bare,
          asked: 1.3,
          unit: 'times',
          reached: ratios(times(runs.kit), times(runs.bare)),
        }),
      ),
      atMost({
        what: `Time to ${figure(sizes[1])} subscribers, in times of ${figure(sizes[0])}`,
        asked: (sizes[1] / sizes[0]) * linear,
        unit: 'times',
        reached: growth,
      }),
    ],
  }
}

function measure({ rounds, say }: PartOptions, kit: Peer, bare: Peer, count: number): Promise<Runs> {
  return inRounds(
    rounds,
    {
      bare: () => send(bare, count, '', () => post(bare.url.replace(/\/a2a$/, '/event'), '{}')),
      kit: async () => {
        const task = await waitingTask(kit.url)
        const sent = await send(kit, count, task.subscription, () => task.tell('hang'))
        await task.cancel()
        return sent
      },
    },
    say,
  )
}

/** `count` clients subscribe, `event` makes the event, each of them is checked to have it, and they leave. */
async function send(
  peer: Peer,
  count: number,
  subscription: string,
  event: () => Promise<unknown>,
): Promise<Sent> {
  const all = await subscribe(peer.url, subscription || '{}', count, waitsSince)
  const cpuBefore = await peer.cpuTime()
  const begun = performance.now()
  let ms = 0
  const received = Promise.all(all.map((one) => one.frame())).then((frames) => {
    ms = performance.now() - begun
    return frames
  })
  const [frames] = await Promise.all([received, event()])
  const cpu = ((await peer.cpuTime()) - cpuBefore) * 1000
  for (const frame of frames) checkFrame(frame, waitsSince + 1, 'TASK_STATE_WORKING')
  await leave(all, peer)
  return { ms, cpu }
}

const times = (runs: Sent[]): number[] => runs.map(({ ms }) => ms)
const cpuTimes = (runs: Sent[]): number[] => runs.map(({ cpu }) => cpu)

function tableOf(runs: Runs, count: number): Table {
  const row = (name: 'bare' | 'kit') => ({
    name: named[name],
    values: [
      spread(times(runs[name])),
      ratios(times(runs[name]), times(runs.bare)),
      spread(cpuTimes(runs[name])),
      ratios(cpuTimes(runs[name]), cpuTimes(runs.bare)),
    ],
  })
  return {
    title: `One event to ${figure(count)} subscribers`,
    columns: ['ms until the last has it', 'times bare Fastify', 'server ms', 'times bare Fastify'],
    rows: [row('bare'), row('kit')],
  }
}
