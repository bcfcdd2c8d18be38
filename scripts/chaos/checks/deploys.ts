// Side effects: what was deployed, each time after an approval of exactly that, and what the scripted agent counted; each once.
import { existsSync, readFileSync, readlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Artifact, isTerminal, textOf } from '@a2a-kit/task-core/protocol'
import type { Expect } from '../../crash/check.ts'
import type { Agent } from '../agent.ts'
import type { Told } from '../scene.ts'
import type { Logged } from './database.ts'
import { statesOf } from './logs.ts'

interface Line {
  build: string
  environment: string
  checksum: string
  taskId: string
  idempotencyKey: string
  release: string
}

/** `tasks` are those of the round; `since` is how many lines the journal had before. @returns how many it has */
export function checkJournal(deployer: Agent, tasks: Logged[], since: number, expect: Expect): number {
  const folder = join(deployer.dataDir, 'deployer/environments/staging')
  const text = existsSync(join(folder, 'journal.jsonl'))
    ? readFileSync(join(folder, 'journal.jsonl'), 'utf8')
    : ''
  const lines = text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line)
  const keys = new Set(lines.map(({ idempotencyKey }) => idempotencyKey))
  expect(keys.size === lines.length, `the journal has ${lines.length} lines of ${keys.size} deploys`)
  for (const task of tasks) {
    const mine = lines.filter(({ taskId }) => taskId === task.id)
    const completed = statesOf(task).at(-1) === 'TASK_STATE_COMPLETED'
    expect(mine.length <= 1, `task ${task.id} has deployed ${mine.length} times`)
    expect(!completed || mine.length === 1, `task ${task.id} is completed, and nothing was deployed`)
    for (const line of mine) checkApproved(line, task, expect)
  }
  const others = lines.slice(since).filter(({ taskId }) => !tasks.some(({ id }) => id === taskId))
  expect(others.length === 0, `${others.length} deploys are of no task of this round`)
  const last = lines.at(-1)
  if (!last) return 0
  const current = readlinkSync(join(folder, 'current'))
  expect(basename(current) === basename(last.release), `current is ${current}, and not ${last.release}`)
  return lines.length
}

function checkApproved({ build, environment, checksum }: Line, task: Logged, expect: Expect): void {
  const used = task.decisions.filter(({ outcome, used_by }) => outcome === 'approved' && used_by !== null)
  const covers = used.some(({ operation }) => {
    const asked = JSON.parse(operation) as Line
    return asked.build === build && asked.environment === environment && asked.checksum === checksum
  })
  expect(covers, `task ${task.id} deployed ${build}, and no approval of that was used`)
}

/**
 * Looks at what the scripted agent counted for a story. An effect that was recorded is not done again; one that was cut before that is, once
 * for each start of the process, of which there were `starts` in this round.
 */
export function checkEffects(told: Told, task: Logged, agent: Agent, starts: number, expect: Expect): void {
  if (told.effects.length === 0) return
  const done = readFileSync(join(agent.dataDir, 'counted'), 'utf8').split('\n')
  const artifacts = task.frames.flatMap(({ artifactUpdate }) => artifactUpdate?.artifact ?? [])
  const ended = isTerminal(statesOf(task).at(-1)!)
  for (const effect of told.effects) {
    const key = `${task.id}/step:count ${effect}#1`
    const times = done.filter((line) => line === key).length
    const says: Expect = (holds, problem) =>
      expect(holds, `${told.story}, effect ${effect} of ${task.id}: ${problem}`)
    says(times <= 1 + starts, `it was done ${times} times, and the process started ${starts} times`)
    const recorded = artifacts.find(({ name }) => name === effect)
    if (recorded)
      says(
        Number(saidIn(recorded)) === times,
        `it was done ${times} times, and ${saidIn(recorded)} when it was recorded`,
      )
    if (statesOf(task).at(-1) === 'TASK_STATE_COMPLETED')
      says(Boolean(recorded) && ended, 'it was not recorded')
  }
}

const saidIn = ({ parts }: Artifact): string => textOf({ parts })
