// Each check of a round can fail: it says what is wrong with a log, a stream, a delivery, a journal or a process that is not as it should be.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fold, type StreamResponse, type Task, type TaskState, taskStates } from '@a2a-kit/task-core/protocol'
import { expect, onTestFinished, test } from 'vitest'
import type { Expect } from '../../crash/check.ts'
import type { Agent } from '../agent.ts'
import type { Held } from '../orders.ts'
import type { Seen, Told } from '../scene.ts'
import { newTold } from '../stories/index.ts'
import type { Webhook } from '../webhook.ts'
import { checkAudit } from './audit.ts'
import type { Logged } from './database.ts'
import { checkDeliveries } from './deliveries.ts'
import { checkEffects, checkJournal } from './deploys.ts'
import { noteHoldings } from './held.ts'
import { checkLogged } from './logs.ts'
import { checkStreams } from './streams.ts'

/** What `check` finds wrong. */
function problemsOf(check: (says: Expect) => unknown): string[] {
  const problems: string[] = []
  check((holds, problem) => void (holds || problems.push(problem)))
  return problems
}

/** The log of a task that goes through the states. */
function logOf(...states: string[]): Logged {
  const id = 'task-1'
  const frames = states.map((name, index): StreamResponse => {
    const status = { state: `TASK_STATE_${name}` as TaskState, timestamp: `2026-11-30T00:00:0${index}Z` }
    return index === 0
      ? { task: { id, contextId: 'c', status } }
      : { statusUpdate: { taskId: id, contextId: 'c', status } }
  })
  return {
    task: 1,
    id,
    last_event: frames.length,
    due: null,
    wait: null,
    state: taskStates.indexOf(`TASK_STATE_${states.at(-1)}` as TaskState),
    events: frames.map((frame, index) => ({ n: index + 1, frame: JSON.stringify(frame), history: null })),
    frames,
    decisions: [],
    audit: [],
  }
}

const log = logOf('SUBMITTED', 'WORKING', 'COMPLETED')
const taskAt = (logged: Logged, n: number) =>
  logged.frames.slice(0, n).reduce<Task | undefined>((task, frame) => fold(task, { frame }), undefined)!
const seen = (n: number): Seen => ({ n, event: log.frames[n - 1]! })
const told = (more: Partial<Told>): Told => ({ ...newTold('chunks'), taskId: log.id, ...more })

test('a log that is whole is well; one that goes a way that there is not, has no end, or folds to another task is not', () => {
  const problems = (logged: Logged, served = taskAt(logged, logged.frames.length)) =>
    problemsOf((says) => checkLogged(logged, served, says)).join('\n')
  expect(problems(log)).toBe('')
  expect(problems(logOf('SUBMITTED', 'COMPLETED', 'WORKING', 'COMPLETED'))).toContain(
    'it went from TASK_STATE_COMPLETED to TASK_STATE_WORKING',
  )
  expect(problems(logOf('SUBMITTED', 'COMPLETED', 'FAILED'))).toContain('2,3 end the task')
  expect(problems(logOf('SUBMITTED', 'AUTH_REQUIRED'))).toContain('it has no end')
  expect(problems(logOf('WORKING', 'COMPLETED'))).toContain('it went from nothing to TASK_STATE_WORKING')
  expect(problems({ ...log, last_event: 4 })).toContain('the task’s last is 4'.replace('’', "'"))
  expect(problems({ ...log, state: 2 })).toContain('its row is in TASK_STATE_WORKING')
  expect(problems(log, taskAt(log, 2))).toContain('folds to other status')
})

test('streams that together are the log are well; a gap, a repeat, another event, a missing end is not', () => {
  const problems = (...streams: Seen[][]) =>
    problemsOf((says) => checkStreams(told({ streams }), log, says)).join('\n')
  const again = (n: number): Seen => ({ n, event: { task: taskAt(log, n) } })
  expect(problems([seen(1), seen(2), seen(3)])).toBe('')
  expect(problems([seen(1), seen(2)], [again(2), seen(3)])).toBe('')
  expect(problems([seen(1), seen(3)])).toContain('a stream went from event 1 to 3')
  expect(problems([seen(1), seen(2), seen(2), seen(3)])).toContain('a stream went from event 2 to 2')
  expect(problems([seen(1)], [again(3)])).toContain('a stream began at event 3, and 1 was seen before')
  expect(problems([seen(1)], [seen(2), seen(3)])).toContain(
    'a stream began with event 2 and not with the task',
  )
  expect(problems([seen(1), seen(2)])).toContain('the client saw 2 of 3 events')
  expect(problems([seen(1), { n: 2, event: log.frames[2]! }, seen(3)])).toContain(
    'event 2 of a stream is not that of the log',
  )
  expect(problems([seen(1), seen(2)], [{ n: 2, event: { task: taskAt(log, 1) } }, seen(3)])).toContain(
    'event 2 of a stream',
  )
})

test('deliveries in order are well, one that comes again too; a gap, an older one, a wrong token, a missing end is not', () => {
  /** A number is an event that was taken, and a negative one that was not. */
  const problems = (...numbers: number[]) => {
    const came = numbers.map((n) => ({ event: log.frames[Math.abs(n) - 1]!, token: 'token', taken: n > 0 }))
    const webhook = { came: () => came } as unknown as Webhook
    const push = { path: '/here', token: 'token' }
    return problemsOf((says) => checkDeliveries(told({ push }), log, webhook, says)).join('\n')
  }
  expect(problems(1, 2, 3)).toBe('')
  expect(problems(1, 1, 2, 2, 3)).toBe('')
  expect(problems(1, 3)).toContain('after event 1 came')
  expect(problems(1, 2, 1, 3)).toContain('after event 2 came')
  expect(problems(1, 2)).toContain('2 of 3 events came')
  expect(problems(-1, 1, 2, -3, 3)).toBe('')
  expect(problems(1, -2, 3)).toContain('event 3 came before 2 was taken')
  expect(problems(1, 2, -3)).toContain('event 3 was not taken')
  const webhook = {
    came: () => [{ event: log.frames[0]!, token: 'other', taken: true }],
  } as unknown as Webhook
  const push = { path: '/here', token: 'token' }
  expect(problemsOf((says) => checkDeliveries(told({ push }), log, webhook, says))[0]).toContain(
    'had the token other',
  )
})

/** A deployer's folder whose journal has the lines, and `current` is the last one's release. */
function deployerWith(lines: object[], current = 'r1'): Agent {
  const dataDir = mkdtempSync(join(tmpdir(), 'a2a-kit-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  const folder = join(dataDir, 'deployer/environments/staging')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'journal.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  symlinkSync(`releases/${current}`, join(folder, 'current'))
  return { dataDir } as Agent
}

test('a deploy that was approved and done once is well; twice, without that approval, or of nobody is not', () => {
  const operation = { build: 'b', environment: 'staging', checksum: 'c' }
  const line = { ...operation, taskId: log.id, idempotencyKey: 'k1', release: 'releases/r1' }
  const decision = { operation: JSON.stringify(operation), outcome: 'approved', used_by: 'step:deploy#1' }
  const approved = { ...log, decisions: [decision] }
  const problems = (task: Logged, lines: object[], current?: string) =>
    problemsOf((says) => checkJournal(deployerWith(lines, current), [task], 0, says)).join('\n')
  expect(problems(approved, [line])).toBe('')
  expect(problems(approved, [line, { ...line, idempotencyKey: 'k2' }])).toContain('has deployed 2 times')
  expect(problems(approved, [line, line])).toContain('2 lines of 1 deploys')
  expect(problems(approved, [])).toContain('completed, and nothing was deployed')
  expect(problems(log, [line])).toContain('no approval of that was used')
  expect(problems(approved, [{ ...line, checksum: 'other' }])).toContain('no approval of that was used')
  const unused = { ...log, decisions: [{ ...decision, used_by: null }] }
  expect(problems(unused, [line])).toContain('no approval of that was used')
  expect(problems({ ...log, decisions: [{ ...decision, outcome: 'denied' }] }, [line])).toContain(
    'no approval',
  )
  expect(problems(approved, [line, { ...line, taskId: 'other', idempotencyKey: 'k2' }])).toContain(
    'of no task',
  )
  expect(problems(approved, [line], 'r0')).toContain('current is releases/r0')
})

test('an approval that is asked for, given and used once is well; used without being given, twice, or after it was taken back is not', () => {
  const problems = (...actions: string[]) => {
    const audit = actions.map((action) => ({ action, digest: 'd' }))
    return problemsOf((says) => checkAudit({ ...log, audit }, says)).join('\n')
  }
  expect(problems('asked', 'approved', 'used')).toBe('')
  expect(problems('asked', 'expired', 'asked', 'approved', 'revoked')).toBe('')
  expect(problems('asked', 'used')).toContain('asked, used')
  expect(problems('asked', 'approved', 'used', 'used')).toContain('used, used')
  expect(problems('asked', 'approved', 'revoked', 'used')).toContain('revoked, used')
  expect(problems('asked', 'approved', 'approved')).toContain('approved, approved')
  expect(problems('approved', 'used')).toContain('it was approved')
})

test('an effect that was done as often as its record says is well; one done again after it, or too often, is not', () => {
  const artifact = { artifactId: 'a', name: 'a', parts: [{ text: '1' }] }
  const update = { artifactUpdate: { taskId: log.id, contextId: 'c', artifact } }
  const counted = { ...log, frames: [log.frames[0]!, update, log.frames[2]!] }
  const key = `${log.id}/step:count a#1\n`
  const problems = (times: number, starts: number, logged: Logged = counted) => {
    const agent = deployerWith([])
    writeFileSync(join(agent.dataDir, 'counted'), key.repeat(times))
    const one = told({ effects: ['a'] })
    return problemsOf((says) => checkEffects(one, logged, agent, starts, says)).join('\n')
  }
  expect(problems(1, 0)).toBe('')
  expect(problems(2, 1)).toContain('it was done 2 times, and 1 when it was recorded')
  expect(problems(2, 0)).toContain('the process started 0 times')
  expect(problems(1, 0, log)).toContain('it was not recorded')
})

test('a process that holds more than at its start is told of: files, timers, listeners, memory, warnings', async () => {
  const start: Held = { files: 20, resources: { Timeout: 0 }, listeners: 3, bytes: 50_000_000, warnings: [] }
  let now = start
  const agent = { name: 'planner', starts: () => 1, order: async () => now } as unknown as Agent
  const check = await noteHoldings([agent], 0)
  expect(await check(agent)).toEqual([])
  const problems = async (more: Partial<Held>) => {
    now = { ...start, ...more }
    return (await check(agent)).join('\n')
  }
  expect(await problems({ files: 21 })).toContain('21 files and sockets are open, and 20 at its start')
  expect(await problems({ listeners: 4 })).toContain('4 listeners, and 3 at its start')
  expect(await problems({ resources: { Timeout: 2 } })).toContain('2 of Timeout are left')
  expect(await problems({ resources: { TCPSocketWrap: 1 } })).toContain('1 of TCPSocketWrap are left')
  expect(await problems({ bytes: 80_000_000 })).toContain('it holds 80000000 bytes')
  expect(await problems({ warnings: ['MaxListenersExceededWarning'] })).toContain(
    'MaxListenersExceededWarning',
  )
  expect(await problems({})).toBe('')
})
