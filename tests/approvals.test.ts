// What an approval is good for (§7.6.4): one operation, one step, once, until it is revoked or its time is over; and the log of it.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Approval, realWorld, type StepContext, type TaskHandle, textOf } from '@a2a-kit/task-core'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { gate, testAgent } from './support/agent.ts'
import { readableLog } from './support/log.ts'
import { ended, operate, shown } from './support/operator.ts'
import { type Probe, startProbe, temporaryFolder, userMessage } from './support/probe.ts'
import { get, send } from './support/send.ts'
import { until, untilState } from './support/wait.ts'

const way = { binding: 'JSONRPC', operation: 'SendMessage' } as const

/** An agent whose acts are counted; `between` is what it does with an approval before it acts, `act` the acting itself. */
function acting({
  between = async () => {},
  act = async () => {},
}: {
  between?: (task: TaskHandle, approval: Approval) => Promise<unknown>
  act?: (signal: AbortSignal) => Promise<unknown>
} = {}) {
  const acts: string[] = []
  const agent = testAgent(async (task) => {
    let what = textOf(task.message)
    for (;;) {
      const explain = (url: string) => `May I ${what}? ${url}`
      const decision = await task.authorize({ operation: { what, requester: task.caller }, explain })
      if (decision.outcome === 'message') {
        what = textOf(decision.message)
        continue
      }
      if (decision.outcome !== 'approved') return `${decision.outcome} ${what}`
      await between(task, decision)
      const work = async ({ idempotencyKey, signal }: StepContext) => {
        acts.push(idempotencyKey)
        await act(signal)
      }
      await task.step('act', work, { approval: decision })
      return `done ${what}`
    }
  })
  return { agent, acts }
}

const ask = async (probe: Probe, text = 'ship'): Promise<string> =>
  (await send(probe, way, { message: userMessage(text) })).id
const endText = async (probe: Probe, id: string) => textOf((await ended(probe, id)).status.message)

/** The audit log as the database has it, a line for each entry. */
function auditOf({ dataDir }: Probe): string[] {
  const db = new Database(join(dataDir, 'test-agent.db'), { readonly: true })
  const rows = db.prepare('SELECT action, by, reason FROM audit ORDER BY entry').all() as Record<
    string,
    string | null
  >[]
  db.close()
  return rows.map(({ action, by, reason }) => [action, by, reason].filter(Boolean).join(' '))
}

test('an approval can be revoked until the step that names it begins, and that step is not done then', async () => {
  const before = gate()
  const { agent, acts } = acting({ between: (task) => task.step('look', before.pass) })
  const probe = await startProbe({ agent })
  const id = await ask(probe)
  expect((await operate(probe, 'revoke', id)).body.error).toContain('not approved yet')
  await operate(probe, 'approve', id)
  await before.entered
  const { status, body } = await operate(probe, 'revoke', id, { reason: 'wrong build' })
  expect([status, body]).toMatchObject([200, { outcome: 'revoked', by: 'operator', reason: 'wrong build' }])
  expect((await operate(probe, 'revoke', id)).status).toBe(409)
  before.open()
  expect(await endText(probe, id)).toBe('revoked ship')
  expect(acts).toEqual([])
  expect(auditOf(probe)).toEqual(['asked', 'approved operator', 'revoked operator wrong build'])
})

test('once the step has begun, the approval is used: a revoke is 409, and the step goes on', async () => {
  const during = gate()
  const { agent, acts } = acting({ act: during.pass })
  const probe = await startProbe({ agent })
  const id = await ask(probe)
  await operate(probe, 'approve', id)
  await during.entered
  const { status, body } = await operate(probe, 'revoke', id)
  expect([status, body.error]).toEqual([409, expect.stringContaining('has begun and cannot be revoked')])
  during.open()
  expect(await endText(probe, id)).toBe('done ship')
  expect((await operate(probe, 'revoke', id)).status).toBe(409)
  expect(acts).toHaveLength(1)
  expect(auditOf(probe)).toEqual(['asked', 'approved operator', 'used step:act#1'])
})

test('the step that is done again after the process died is the same use of the approval', async () => {
  const during = gate()
  let first = true
  const { agent, acts } = acting({
    act: async (signal) => {
      if (!first) return
      first = false
      during.pass()
      await new Promise((_, failed) => signal.addEventListener('abort', () => failed(signal.reason)))
    },
  })
  const dataDir = await temporaryFolder()
  const probe = await startProbe({ agent, dataDir })
  const id = await ask(probe)
  await operate(probe, 'approve', id)
  await during.entered
  await probe.close()
  const again = await startProbe({ agent, dataDir })
  expect((await operate(again, 'revoke', id)).status).toBe(409)
  expect(await endText(again, id)).toBe('done ship')
  expect(acts).toHaveLength(2)
  expect(new Set(acts).size).toBe(1)
  expect(auditOf(again)).toEqual(['asked', 'approved operator', 'used step:act#1'])
})

test('a second step cannot use the approval of the first', async () => {
  const { agent, acts } = acting({
    between: (task, approval) => task.step('also', () => true, { approval }),
  })
  const probe = await startProbe({ agent })
  const id = await ask(probe)
  await operate(probe, 'approve', id)
  expect((await ended(probe, id)).status.state).toBe('TASK_STATE_FAILED')
  expect(acts).toEqual([])
  expect(auditOf(probe)).toEqual(['asked', 'approved operator', 'used step:also#1'])
})

test('a denial is no approval, whatever an author takes it for', async () => {
  const probe = await startProbe({
    agent: testAgent(async (task) => {
      const decision = await task.authorize({ operation: {}, explain: String })
      await task.step('act', () => true, { approval: decision as Approval })
    }),
  })
  const id = await ask(probe)
  await operate(probe, 'deny', id)
  expect((await ended(probe, id)).status.state).toBe('TASK_STATE_FAILED')
})

test.each([
  ['undefined', { approval: undefined }],
  ['a slip of the pen', { aproval: {} }],
])('a step whose options are %s is not done: its author believes in a check', async (_, options) => {
  const acts: string[] = []
  const probe = await startProbe({
    agent: testAgent(
      async (task) => void (await task.step('act', () => acts.push('acted'), options as object)),
    ),
  })
  const { status } = await send(probe, way, { message: userMessage('go') })
  expect([status.state, acts]).toEqual(['TASK_STATE_FAILED', []])
})

test('a task that ends without a step that used its approval says so in the log', async () => {
  const { log, lines } = readableLog()
  const probe = await startProbe({
    log,
    agent: testAgent(async (task) => {
      await task.authorize({ operation: {}, explain: String })
      await task.step('act', () => true)
    }),
  })
  const id = await ask(probe)
  await operate(probe, 'approve', id)
  await ended(probe, id)
  expect(lines.find(({ taskId, level }) => taskId === id && level === 40)?.msg).toContain('no step has used')
})

test('what nobody could read is not asked for: the task fails, and says why', async () => {
  const probe = await startProbe({ agent: acting().agent })
  const { status } = await send(probe, way, { message: userMessage('x'.repeat(40_000)) })
  expect([status.state, textOf(status.message)]).toEqual([
    'TASK_STATE_FAILED',
    expect.stringMatching(
      /^What an operator would have to approve has 40\d{3} characters, and may have 32768/,
    ),
  ])
})

test('an approval of another task is none', async () => {
  let theirs: Approval | undefined
  const { agent, acts } = acting({
    async between(task, approval) {
      theirs ??= approval
      if (approval === theirs) return
      await task.step('borrow', () => acts.push('borrowed'), { approval: theirs })
    },
  })
  const probe = await startProbe({ agent })
  const [one, other] = [await ask(probe, 'one'), await ask(probe, 'other')]
  await operate(probe, 'approve', one)
  expect(await endText(probe, one)).toBe('done one')
  await operate(probe, 'approve', other)
  expect((await ended(probe, other)).status.state).toBe('TASK_STATE_FAILED')
  expect(acts).not.toContain('borrowed')
})

test('an approval that is not used before its request would have expired is used no more', async () => {
  const before = gate()
  let ahead = 0
  const { agent, acts } = acting({ between: (task) => task.step('look', before.pass) })
  const probe = await startProbe({ agent, world: { ...realWorld, now: () => Date.now() + ahead } })
  const id = await ask(probe)
  await operate(probe, 'approve', id)
  await before.entered
  ahead = 24 * 3600_000
  before.open()
  expect(await endText(probe, id)).toBe('expired ship')
  expect(acts).toEqual([])
  expect(auditOf(probe)).toEqual(['asked', 'approved operator', 'expired'])
})

test('a task that is canceled between the approval and the step does not act, and the approval is used no more', async () => {
  const before = gate()
  const { agent, acts } = acting({ between: (task) => task.step('look', before.pass) })
  const probe = await startProbe({ agent, settings: { cancelGrace: 1 } })
  const id = await ask(probe)
  await operate(probe, 'approve', id)
  await before.entered
  await probe.call('JSONRPC', 'CancelTask', { id })
  before.open()
  expect((await get(probe, id)).status.state).toBe('TASK_STATE_CANCELED')
  const { status, body } = await operate(probe, 'revoke', id)
  expect([status, body.error]).toEqual([409, expect.stringContaining('TASK_STATE_CANCELED')])
  expect(acts).toEqual([])
})

test('a request that was changed is approved by its own link, and by no link from before', async () => {
  const { agent, acts } = acting()
  const probe = await startProbe({ agent })
  const id = await ask(probe, 'north')
  const first = await shown(probe, id)
  expect(first.approve).toBe(`POST ${probe.url}/approve/${id}`)
  const asked = await send(probe, way, { message: userMessage('south', { taskId: id }) })
  const { digest } = await shown(probe, id)
  const link = `${probe.url}/approve/${id}?digest=${digest}`
  expect(textOf(asked.status.message)).toBe(`May I south? ${link}`)
  const { status, body } = await operate(probe, 'approve', id)
  expect([status, body.error]).toEqual([409, expect.stringContaining(`?digest=${digest}`)])
  expect((await get(probe, id)).status).toEqual(asked.status)
  expect((await fetch(link, { method: 'POST' })).status).toBe(200)
  expect(await endText(probe, id)).toBe('done south')
  expect(acts).toHaveLength(1)
  expect(auditOf(probe)).toEqual([
    'asked',
    expect.stringMatching(/^message anyone message-/),
    'void the agent It asks for something else instead.',
    'asked',
    'approved operator',
    'used step:act#1',
  ])
})

test('a decision on a request that has expired is 410, also when its task has ended of it', async () => {
  const probe = await startProbe({ settings: { approvalTtl: 1 } })
  const id = await ask(probe, 'authorize deploy')
  await untilState(probe, id, 'FAILED')
  for (const what of ['approve', 'deny'] as const) expect((await operate(probe, what, id)).status).toBe(410)
})

test('the end of a task voids what it still asked for, and the log says why', async () => {
  const { agent } = acting()
  const probe = await startProbe({ agent })
  const id = await ask(probe)
  await probe.call('JSONRPC', 'CancelTask', { id })
  expect(auditOf(probe)).toEqual(['asked', 'void anyone The task was canceled.'])
})

test('the log is only ever added to, whoever opens the file', async () => {
  const { agent } = acting()
  const probe = await startProbe({ agent })
  await operate(probe, 'approve', await ask(probe))
  await until('the use', () => auditOf(probe).length === 3)
  const before = auditOf(probe)
  const db = new Database(join(probe.dataDir, 'test-agent.db'))
  const columns = 'entry, at, action, task_id, context_id, requester, digest, operation, by, reason'
  for (const change of [
    "UPDATE audit SET by = 'somebody else'",
    'DELETE FROM audit',
    'DELETE FROM audit WHERE entry = 1',
    `INSERT OR REPLACE INTO audit (${columns}) SELECT ${columns.replace('by', "'somebody else'")} FROM audit`,
  ]) {
    expect(() => db.prepare(change).run()).toThrow('only ever added to')
  }
  db.close()
  expect(auditOf(probe)).toEqual(before)
})

test('npm run audit prints the log, of one agent or task, since a time, as text that shows what others wrote or as JSON', async () => {
  const { agent } = acting()
  const probe = await startProbe({ agent })
  const [one, other] = [await ask(probe, 'one\n\u001b[31mfake'), await ask(probe, 'other')]
  await operate(probe, 'deny', one, { reason: 'no\nline' })
  const audit = async (...args: string[]) => {
    const env = { ...process.env, DATA_DIR: probe.dataDir }
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--import', 'tsx', 'scripts/audit.ts', ...args],
      { env },
    )
    return stdout.trimEnd().split('\n')
  }
  const lines = await audit('--agent', 'test-agent')
  expect(lines).toHaveLength(3)
  expect(lines[0]).toMatch(
    new RegExp(
      `^\\S+Z  test-agent  asked  task ${one}  request \\w{12}  for anyone  \\{"what":"one\\\\n\\\\u001b`,
    ),
  )
  expect(lines[2]).toMatch(/denied {2}task \S+ {2}request \w{12} {2}by operator {2}"no\\u\{a\}line"$/)
  const [entry] = (await audit('--task', other, '--since', '2026-01-01', '--json')).map((line) =>
    JSON.parse(line),
  )
  expect(entry).toMatchObject({
    agent: 'test-agent',
    taskId: other,
    action: 'asked',
    operation: { what: 'other' },
  })
  await expect(audit('--since', 'yesterday')).rejects.toThrow('--since must be a day or a time')
  await expect(audit('--agent', 'nobody')).rejects.toThrow('only of test-agent')
})
