// A run of the benchmark as it is written down: what was measured, on what, with what.
import { readFileSync } from 'node:fs'
import { cpus, totalmem, type } from 'node:os'
import type { Options } from './options.ts'
import type { PartResult } from './report.ts'

/** What the figures depend on, beside Node.js; each is pinned to one version. */
const measuredWith = [
  'fastify',
  '@fastify/sse',
  'better-sqlite3',
  '@a2a-js/sdk',
  'express',
  'kysely',
  'autocannon',
  'undici',
]

export type Result = PartResult & { part: string }

export interface Record {
  /** When the run ended, in UTC. */
  at: string
  /** `syncMs`: milliseconds of a sync of 4 KiB to the disk. */
  machine: { system: string; cpu: string; cores: number; memoryGiB: number; note: string; syncMs: number }
  versions: { [name: string]: string }
  settings: Pick<Options, 'seconds' | 'rounds' | 'quick'>
  results: Result[]
}

/** `note` says which cores did what. */
export function recordOf(
  results: Result[],
  { seconds, rounds, quick }: Options,
  measuredOn: Pick<Record['machine'], 'note' | 'syncMs'>,
): Record {
  const file = new URL('../package.json', import.meta.url)
  const { dependencies, devDependencies } = JSON.parse(readFileSync(file, 'utf8'))
  const pinned: { [name: string]: string } = { ...dependencies, ...devDependencies }
  const packages = measuredWith.map((name) => [name, pinned[name]!] as const)
  return {
    at: new Date().toISOString(),
    machine: {
      system: type(),
      cpu: cpus()[0]?.model ?? 'unknown',
      cores: cpus().length,
      memoryGiB: Math.round(totalmem() / 2 ** 30),
      ...measuredOn,
    },
    versions: { node: process.versions.node, ...Object.fromEntries(packages) },
    settings: { seconds, rounds, quick },
    results,
  }
}
