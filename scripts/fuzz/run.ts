// A run: round after round until there were enough requests, and what came of them all.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Agents, forkAgents } from './agents.ts'
import { countsOf, failureText, growthOf, preview, progressOf } from './report.ts'
import { type Failure, playRound, type Round } from './round.ts'
import { readTemplates } from './templates.ts'

export interface RunOptions {
  seed: number
  requests: number
  seconds: number
  /** How many requests the same agents get, from one seed. */
  perRound: number
  print(text: string): void
}

/** So many failures are enough to look at. */
const mostFailures = 12

/** How much memory may be kept of each request, in bytes: of a leak there would be more. */
const mostGrowth = 300

export interface RunResult {
  rounds: Round[]
  failures: Failure[]
  sent: number
  isGood: boolean
}

export async function fuzz({ seed, requests, seconds, perRound, print }: RunOptions): Promise<RunResult> {
  const folder = mkdtempSync(join(tmpdir(), 'a2a-kit-fuzz-'))
  const until = performance.now() + seconds * 1000
  const templates = readTemplates()
  const rounds: Round[] = []
  const failures: Failure[] = []
  let agents: Agents = forkAgents(folder)
  let sent = 0
  for (
    let nth = 0;
    sent < requests && performance.now() < until && failures.length < mostFailures;
    nth += 1
  ) {
    const round = await playRound({
      agents,
      folder,
      seed: seed + nth,
      requests: Math.min(perRound, requests - sent),
      until,
      templates,
    })
    rounds.push(round)
    sent += round.sent
    print(progressOf(round, seed + nth, sent))
    if (round.failure) {
      failures.push(round.failure)
      print(failureText(round.failure, folder))
    } else rmSync(join(folder, `round-${seed + nth}`), { recursive: true })
    if (agents.end() !== undefined) agents = forkAgents(folder)
  }
  await agents.kill()
  const grown = growthOf(rounds)
  const isGood = failures.length === 0 && grown < mostGrowth
  print(`\n${countsOf(rounds)}\n`)
  const slowest = rounds.flatMap((round) => round.slowest ?? []).sort((a, b) => b.ms - a.ms)[0]
  if (slowest)
    print(`The slowest refusal took ${slowest.ms.toFixed(0)} ms: ${preview(slowest.request).slice(0, 200)}`)
  print(`${sent} requests, ${failures.length} failures, ${grown.toFixed(0)} bytes of memory kept of each.`)
  if (isGood) rmSync(folder, { recursive: true })
  else print(`What is left of the run is in ${folder}.`)
  return { rounds, failures, sent, isGood }
}
