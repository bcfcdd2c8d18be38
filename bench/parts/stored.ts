// Part `stored`: what it costs that many tasks are stored: memory, and the time of a GetTask and of a page of ListTasks.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { post, request, sendMessage } from '../a2a.ts'
import { inFolder } from '../folder.ts'
import { type Load, load } from '../load.ts'
import type { Peer } from '../peer.ts'
import { figure, type PartResult, type Table } from '../report.ts'
import { inRounds, ratios, type Spread, spread } from '../rounds.ts'
import { perContext, storeTasks } from '../stored-tasks.ts'
import { atMost, type Target } from '../targets.ts'
import type { PartOptions } from './part.ts'

/** The fewest make one context, so that every page is as long with them as with more. */
const counts = { real: [perContext, 50_000, 500_000], quick: [perContext, 100, 150] }
/** Half of the tasks have failed: pages of these are full with the fewest, too. */
const scripts = ['working; artifact a b', 'working; artifact a b; fail no']
const pageSize = 20

interface Work {
  body: () => string
  check: (reply: string) => void
}
interface Stored {
  count: number
  kit: Peer
  works: Record<string, Work>
}

export const stored = (options: PartOptions): Promise<PartResult> =>
  inFolder('stored', (folder) => storedIn(folder, options))

async function storedIn(folder: string, options: PartOptions): Promise<PartResult> {
  const { seconds, rounds, quick, say } = options
  const all: Stored[] = []
  try {
    for (const count of quick ? counts.quick : counts.real) {
      all.push(await store(options, join(folder, String(count)), count))
    }
    const names = Object.keys(all[0]!.works)
    say(`\nRequests where ${all.map(({ count }) => figure(count)).join(', ')} tasks are stored`)
    const runs = Object.fromEntries(
      names.flatMap((name) =>
        all.map(({ count, kit, works }) => [
          `${name}, ${figure(count)}`,
          () => load(kit, { seconds: seconds / 2, ...works[name]! }),
        ]),
      ),
    )
    const measured = await inRounds(rounds, runs, say)
    const times = (name: string, { count }: Stored) =>
      measured[`${name}, ${figure(count)}`]!.map(microseconds)
    const memory = await Promise.all(all.map(({ kit }) => kit.memory()))
    const mebi = memory.map(({ rss }) => rss / 2 ** 20)
    return resultOf(all, names, times, mebi)
  } finally {
    await Promise.all(all.map(({ kit }) => kit.stop())) // before their folder goes
  }
}

/** For each reply, of a server that always has something to do. */
const microseconds = ({ rate }: Load): number => 1e6 / rate

/** Starts the kit over `count` tasks. */
async function store({ startPeer, say }: PartOptions, folder: string, count: number): Promise<Stored> {
  await mkdir(folder)
  const env = { DATA_DIR: folder }
  const first = await startPeer('kit', { env })
  for (const script of scripts) await post(first.url, sendMessage(script))
  await first.stop()
  const { ids, contextId } = await storeTasks(join(folder, 'conformance.db'), count, say)
  // The one that walks to the middle has then done more than the others, so that it is not the one that is measured.
  const walking = await startPeer('kit', { env })
  const pageToken = await tokenInTheMiddle(walking, count)
  await walking.stop()
  const anyId = () => ids[Math.floor(Math.random() * ids.length)]!
  const works = {
    GetTask: { body: () => request('GetTask', { id: anyId() }), check: checkTask },
    'first page': page({}),
    'page in the middle': page({ pageToken }),
    'page of a state': page({ status: 'TASK_STATE_FAILED' }),
    'page of a context': page({ contextId }),
  }
  return { count, kit: await startPeer('kit', { env }), works }
}

const page = (params: object): Work => ({
  body: () => request('ListTasks', { pageSize, ...params }),
  check: (reply) => void readPage(reply, pageSize),
})

/** The token of a page that has as many before it as behind it. */
async function tokenInTheMiddle({ url }: Peer, count: number): Promise<string> {
  let pageToken = ''
  for (let left = Math.floor((count - pageSize) / 2); left > 0; left -= 100) {
    const most = Math.min(left, 100)
    const params = { pageSize: most, ...(pageToken && { pageToken }) }
    pageToken = readPage(await post(url, request('ListTasks', params)), most).nextPageToken
  }
  return pageToken
}

function checkTask(reply: string): void {
  const { result } = JSON.parse(reply) as { result?: { artifacts?: unknown[] } }
  if (result?.artifacts?.length !== 1) throw new Error(`this is not one of the tasks: ${reply.slice(0, 300)}`)
}

function readPage(reply: string, size: number): { nextPageToken: string } {
  const { result } = JSON.parse(reply) as { result?: { tasks: unknown[]; nextPageToken: string } }
  if (result?.tasks.length !== size) throw new Error(`this is not a full page: ${reply.slice(0, 300)}`)
  return result
}

function resultOf(
  all: Stored[],
  names: string[],
  times: (name: string, of: Stored) => number[],
  mebi: number[],
): PartResult {
  const [few, ...many] = all as [Stored, ...Stored[]]
  const slower = (name: string, one: Stored): Spread => ratios(times(name, one), times(name, few))
  const requests: Table = {
    title: `Requests, 32 connections, pages of ${pageSize}: µs each, and how many times as long as with ${few.count} tasks`,
    columns: all.flatMap(({ count }) => [
      `${figure(count)} tasks`,
      ...(count === few.count ? [] : ['times']),
    ]),
    rows: names.map((name) => ({
      name,
      values: all.flatMap((one) => [spread(times(name, one)), ...(one === few ? [] : [slower(name, one)])]),
    })),
  }
  const memory: Table = {
    title: 'Resident memory after these requests',
    columns: ['MiB', 'more'],
    rows: all.map(({ count }, nth) => ({
      name: `${figure(count)} tasks`,
      values: [mebi[nth]!, nth === 0 ? null : mebi[nth]! - mebi[0]!],
    })),
  }
  const targets = many.flatMap((one, nth): Target[] => {
    const where = `with ${figure(one.count)} tasks stored`
    const pages = names.filter((name) => name !== 'GetTask').map((name) => slower(name, one))
    return [
      atMost({ what: `Memory ${where}`, asked: 20, unit: 'MiB more', reached: mebi[nth + 1]! - mebi[0]! }),
      atMost({ what: `GetTask ${where}`, asked: 1.2, unit: 'times', reached: slower('GetTask', one) }),
      atMost({
        what: `The slowest of ${pages.length} pages of ListTasks ${where}`,
        asked: 1.2,
        unit: 'times',
        reached: pages.reduce((worst, next) => (next.median > worst.median ? next : worst)),
      }),
    ]
  })
  return { tables: [requests, memory], targets }
}
