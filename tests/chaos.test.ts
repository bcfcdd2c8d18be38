// A part of what `npm run chaos` does: some rounds of work under faults, of a seed whose rounds differ, and what decides them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { faultNames } from '../scripts/chaos/faults/index.ts'
import { faultsOf } from '../scripts/chaos/report.ts'
import { planRound } from '../scripts/chaos/round.ts'
import { runChaos } from '../scripts/chaos/run.ts'
import { root } from '../scripts/kit.ts'

test('work that goes on while processes are killed, stores fail and connections break is done once, whole, and told as it was', {
  timeout: 120_000,
  skip: process.platform !== 'linux',
}, async () => {
  const faults = ['kill', 'failing', 'clients-vanish', 'webhook', 'wires']
  const rounds = await runChaos({ seed: 553, from: 1, rounds: 2, faults })
  expect(rounds.map(({ number, problems }) => ({ number, problems }))).toEqual([
    { number: 1, problems: [] },
    { number: 2, problems: [] },
  ])
  const seen = rounds.flatMap((round) => round.faults.map(({ name }) => name))
  expect(seen.sort()).toEqual(['clients-vanish', 'failing', 'kill', 'wires'])
})

test('the same seed and number give the same round, and other ones another', () => {
  const plan = (seed: number, number: number) => {
    const round = planRound(seed, number, faultNames)
    return { stories: round.stories, faults: faultsOf(round) }
  }
  expect(plan(5, 8)).toEqual(plan(5, 8))
  expect(plan(5, 8)).not.toEqual(plan(6, 8))
  expect(plan(5, 8)).not.toEqual(plan(5, 9))
})

test('every fault comes up in five hundred rounds, and calm ones too', () => {
  const rounds = Array.from({ length: 500 }, (_, index) => planRound(1, index + 1, faultNames))
  const seen = new Set(rounds.flatMap(({ faults }) => faults.map(({ name }) => name)))
  expect([...seen].sort()).toEqual([...faultNames].sort())
  expect(rounds.some(({ faults }) => faults.length === 0)).toBe(true)
})

test('docs/operating.md says of every fault what happens', () => {
  const [, section] = readFileSync(join(root, 'docs/operating.md'), 'utf8').split('## Try what goes wrong')
  const told = [...section!.matchAll(/^\| (`.*?) +\|/gm)].flatMap(([, names]) => names!.match(/[\w-]+/g))
  expect(told.sort()).toEqual([...faultNames].sort())
})
