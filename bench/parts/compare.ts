// The kit and others under the same load, in turn, as one table.
import type { Table } from '../report.ts'
import { inRounds, ratios, type Spread, spread } from '../rounds.ts'
import type { Run } from '../run.ts'
import type { PartOptions } from './part.ts'

/** As a reader knows the servers. */
export const named = {
  kit: 'kit',
  memory: 'SDK in memory',
  sqlite: 'SDK on SQLite',
  bare: 'bare Fastify',
  full: 'kit, synchronous=FULL',
  counting: 'kit with METRICS_TOKEN',
}

/** Rounds that do not count: the kit gets steady after about 6 s of load, the SDK after 4 s. */
const warmUps = 3

export type Name = keyof typeof named

/** A column: what it holds for a server, whose runs come first; the kit's are for ratios. */
export type Column<R> = [head: string, of: (runs: R[], kit: R[]) => Spread | null]

export interface Comparison<R, Names extends Name> {
  title: string
  /** What is counted: `requests`, `streams`. */
  unit: string
  /** One run on each server, by which they take turns. */
  runs: Record<Names | 'kit', () => Promise<R>>
  /** Columns of this load's own. */
  more?: Column<R>[]
}

export const rateOf = (run: Run): number => run.rate
const cpuOf = (run: Run): number => run.cpu
const busyOf = (run: Run): number => run.busy

/** The spread of one figure of the runs. */
export const allOf = <R>(runs: R[], figure: (run: R) => number): Spread => spread(runs.map(figure))

/** How many times the kit's figure is that of others, round by round. */
export const kitTo = <R>(kit: R[], others: R[], figure: (run: R) => number): Spread =>
  ratios(kit.map(figure), others.map(figure))

/** The column of those ratios, which the kit's own row has not. */
export const kitColumn =
  <R>(figure: (run: R) => number): Column<R>[1] =>
  (runs, kit) =>
    runs === kit ? null : kitTo(kit, runs, figure)

/** Takes the runs in rounds; resolves with them by server, and with their table. */
export async function compare<R extends Run, Names extends Name>(
  { rounds, quick, say }: Pick<PartOptions, 'rounds' | 'quick' | 'say'>,
  { title, unit, runs, more = [] }: Comparison<R, Names>,
): Promise<{ measured: Record<Names | 'kit', R[]>; table: Table }> {
  say(`\n${title}`)
  const measured = await inRounds<Names | 'kit', R>(rounds, runs, say, quick ? 1 : warmUps)
  const columns: Column<R>[] = [
    [`${unit}/s`, (own) => allOf(own, rateOf)],
    ['rate: kit / this', kitColumn(rateOf)],
    ...more,
    ['server µs each', (own) => allOf(own, cpuOf)],
    ['µs: kit / this', kitColumn(cpuOf)],
    ['server busy', (own) => allOf(own, busyOf)],
  ]
  const rows = namesIn(measured).map((name) => ({
    name: named[name],
    values: columns.map(([, of]) => of(measured[name], measured.kit)),
  }))
  return {
    measured,
    table: { title, columns: columns.map(([head]) => head), rows, verdict: limitOf(measured) },
  }
}

const namesIn = <Names extends Name>(measured: Record<Names, unknown>) => Object.keys(measured) as Names[]

/** Below this a server that is under full load had to wait for something else. */
const busyEnough = 0.9

/** Which servers were not the limit of their rate, and by what rule. */
export function limitOf<Names extends Name>(measured: Record<Names, Run[]>): string {
  const idle = namesIn(measured).filter((name) => allOf(measured[name], busyOf).median < busyEnough)
  const share = `${busyEnough} of the time or more, by the median`
  if (idle.length === 0)
    return `Every server was busy for ${share}, and so is taken for the limit of its rate.`
  const who = idle.map((name) => named[name]).join(', ')
  return `Not busy for ${share}: ${who}. There the load, or what else ran here, was the limit: the server's time says what the work costs.`
}
