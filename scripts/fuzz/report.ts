// What a fuzz run prints: a line for each round, the counts, and each failure with the request that shows it.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bytesOf, type Request } from './request.ts'
import type { Failure, Round } from './round.ts'

const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MB`

export function progressOf({ sent, failure, before, after }: Round, seed: number, all: number): string {
  const heap = `heap ${megabytes(before.heap)} → ${megabytes(after.heap)}`
  const stall = `longest stall ${after.longestStall.toFixed(0)} ms`
  return `seed ${seed}: ${sent} requests, ${all} in all, ${heap}, ${stall}${failure ? ', FAILED' : ''}`
}

/** The counts of all rounds, the most frequent first. */
export function countsOf(rounds: readonly Round[]): string {
  const counts = new Map<string, number>()
  for (const { kinds } of rounds)
    for (const [kind, count] of kinds) counts.set(kind, (counts.get(kind) ?? 0) + count)
  const width = Math.max(...[...counts.keys()].map((kind) => kind.length))
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([kind, count]) => `  ${kind.padEnd(width)} ${String(count).padStart(8)}`)
    .join('\n')
}

/** What happened, and how to see it again: the request stands in a file that curl sends as it is. */
export function failureText({ problem, agent, requests, seed }: Failure, folder: string): string {
  const each = requests.slice(0, 5).map((request, nth) => {
    const file = join(folder, `${seed}-${nth + 1}.request`)
    writeFileSync(file, bytesOf(request))
    return `  request  ${preview(request)}\n  send it  curl --silent telnet://127.0.0.1:<port> < ${file}`
  })
  return [
    `FAILED  ${problem}`,
    `  agent    ${agent}`,
    ...each,
    `  again    npm run fuzz -- --seed ${seed}`,
  ].join('\n')
}

export function preview(request: Request): string {
  const bytes = bytesOf(request)
  const shown = JSON.stringify(bytes.toString('latin1', 0, 1200))
  return bytes.length > 1200 ? `${shown} … ${bytes.length} bytes` : shown
}

/**
 * How much memory is kept of each request, in bytes: from one round to the next, and within each but the first, in which all is
 * still new. Few requests tell nothing.
 */
export function growthOf(rounds: readonly Round[]): number {
  const later = rounds.slice(1).filter(({ sent }) => sent >= 5000)
  const sent = later.reduce((sum, round) => sum + round.sent, 0)
  if (sent === 0) return 0
  const between = (later.at(-1)!.after.heap - rounds[0]!.after.heap) / sent
  return Math.max(between, ...later.map(({ before, after, sent: own }) => (after.heap - before.heap) / own))
}
