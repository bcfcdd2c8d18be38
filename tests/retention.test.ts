// How long what is finished is kept: then it is unknown on every operation, and nothing of it is left.
import { join } from 'node:path'
import { realWorld, textOf } from '@a2a-kit/task-core'
import { replayExtension, type Task } from '@a2a-kit/task-core/protocol'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { imaged } from './support/images.ts'
import { type Probe, startProbe, userMessage } from './support/probe.ts'
import { expectRefusal } from './support/refusals.ts'
import { answer, begin, send } from './support/talk.ts'
import { until, untilState } from './support/wait.ts'
import { startWebhook } from './support/webhook.ts'

const day = 24 * 3600 * 1000
/** The world `days` later. */
const inDays = (days: number) => ({
  ...realWorld,
  now: () => Date.now() + days * day,
  statusTime: () => Date.now() + days * day,
})
const count = async ({ call }: Pick<Probe, 'call'>) =>
  (await call('JSONRPC', 'ListTasks', {})).result.totalSize
const untilLeft = (probe: Probe, many: number) =>
  until(`${many} tasks left`, async () => (await count(probe)) === many)

/** Tables that hold nothing of a task that was purged, and what an operator did. */
const stay = new Set(['counts', 'sqlite_sequence', 'audit'])

/** How many rows each table has. */
function rowsIn(dataDir: string): Record<string, number> {
  const db = new Database(join(dataDir, 'conformance.db'), { readonly: true })
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all() as string[]
  const rows = tables.map((table) => [table, db.prepare(`SELECT count(*) FROM ${table}`).pluck().get()])
  db.close()
  return Object.fromEntries(rows)
}

/** As the text of an artifact it makes a snapshot that has a row of its own. */
const large = 'x'.repeat(3000)

describe('a task that ended longer ago than it is kept', () => {
  test('is unknown on every operation, and a repeat of its message makes a new one', async () => {
    const before = await startProbe()
    const message = userMessage('artifact a x; complete')
    const { result } = await before.call('JSONRPC', 'SendMessage', { message })
    const { id, contextId } = result.task as Task
    await before.close()

    const probe = await startProbe({ dataDir: before.dataDir, world: inDays(31) })
    await untilLeft(probe, 0)
    const late = userMessage('more', { taskId: id })
    for (const [operation, params] of [
      ['GetTask', { id }],
      ['CancelTask', { id }],
      ['SendMessage', { message: late }],
      ['CreateTaskPushNotificationConfig', { taskId: id, url: 'https://a.example/' }],
      ['GetTaskPushNotificationConfig', { taskId: id, id: 'mine' }],
      ['ListTaskPushNotificationConfigs', { taskId: id }],
      ['DeleteTaskPushNotificationConfig', { taskId: id, id: 'mine' }],
      ['SubscribeToTask', { id }],
    ] as const) {
      expectRefusal(await probe.call('HTTP+JSON', operation, params), 'HTTP+JSON', 'TASK_NOT_FOUND')
    }
    const replay = { 'A2A-Extensions': replayExtension, 'Last-Event-ID': '1' }
    const replayed = await probe.call('JSONRPC', 'SubscribeToTask', { id }, replay)
    expectRefusal(replayed, 'JSONRPC', 'TASK_NOT_FOUND')
    expect((await probe.call('JSONRPC', 'ListTasks', { contextId })).result.tasks).toEqual([])

    const again = await probe.call('JSONRPC', 'SendMessage', { message: { ...message, contextId } })
    expect(again.result.task).toMatchObject({ contextId, status: { state: 'TASK_STATE_COMPLETED' } })
    expect(again.result.task.id).not.toBe(id)
  })

  test('leaves nothing in any table, whatever it did; what waits and what ended later stays whole', async () => {
    const settings = { pushAllowedHosts: ['*'], pushAttempts: 1, inputTtl: 90 * 24 * 3600 }
    const before = await startProbe({ settings })
    const { dataDir } = before
    for (const script of ['complete', 'fail', 'reject', 'chunks 3 of 1000; artifact a b; ask'])
      await send(before, script)
    const asked = (await before.call('JSONRPC', 'ListTasks', { status: 'TASK_STATE_INPUT_REQUIRED' })).result
    await answer(before, asked.tasks[0].id, 'well')
    const canceled = await begin(before, 'authorize')
    await untilState(before, canceled, 'AUTH_REQUIRED')
    await before.call('JSONRPC', 'CancelTask', { id: canceled })
    const pushed = { taskId: canceled, url: 'http://localhost:1/' }
    await before.call('JSONRPC', 'CreateTaskPushNotificationConfig', pushed)
    const open = await begin(before, `ask; artifact c ${large}`)
    await untilState(before, open, 'INPUT_REQUIRED')
    await before.close()

    const later = await startProbe({ dataDir, settings, world: inDays(20) })
    const recent = await send(later, `artifact a ${large}; complete`)
    await later.close()
    const probe = await startProbe({ dataDir, settings, world: inDays(40) })
    await untilLeft(probe, 2)
    expect((await probe.call('JSONRPC', 'GetTask', { id: recent.id })).result).toEqual(recent)
    await answer(probe, open, 'still there')
    const task = await untilState(probe, open, 'COMPLETED')
    expect(task.artifacts!.map((one) => textOf(one))).toEqual(['still there', large])
    await probe.close()
    expect(rowsIn(dataDir)).toMatchObject({
      tasks: 2,
      messages: 3,
      snapshots: 2,
      authorizations: 0,
      push_configs: 0,
    })

    const last = await startProbe({ dataDir, settings, world: inDays(100) })
    await untilLeft(last, 0)
    await last.close()
    const left = Object.entries(rowsIn(dataDir)).filter(([table, many]) => many > 0 && !stay.has(table))
    expect(left).toEqual([])
  })

  test('is purged at its time while the agent runs', async () => {
    const probe = await startProbe({ settings: { taskRetention: 1 } })
    const waits = await begin(probe, 'ask')
    await send(probe, 'complete')
    await untilLeft(probe, 1)
    await untilState(probe, waits, 'INPUT_REQUIRED')
  })

  test('is kept as long as its end is still to be pushed', async () => {
    const webhook = await startWebhook()
    const gate = Promise.withResolvers<void>()
    webhook.answers([], { held: gate.promise })
    const settings = { pushAllowedHosts: ['*'] }
    const before = await startProbe({ settings })
    const taskPushNotificationConfig = { url: webhook.url }
    const configuration = { taskPushNotificationConfig }
    const { result } = await before.call('JSONRPC', 'SendMessage', {
      message: userMessage('complete'),
      configuration,
    })
    await send(before, 'complete')
    await before.close()
    const held = await startProbe({ dataDir: before.dataDir, settings, world: inDays(31) })
    await untilLeft(held, 1)
    expect((await held.call('JSONRPC', 'GetTask', { id: result.task.id })).error).toBeUndefined()
    gate.resolve()
    await webhook.until('COMPLETED', result.task.id)
    await held.close()
    await untilLeft(await startProbe({ dataDir: before.dataDir, settings, world: inDays(31) }), 0)
  })
})

test('a kill in the middle of a purge loses nothing else: what is left is whole, and the next start goes on', async () => {
  const { dataDir, world, images } = await imaged('conformance', () => '')
  const settings = { inputTtl: 365 * 24 * 3600 }
  const first = await startProbe({ dataDir, settings })
  const open = await begin(first, 'ask; artifact a b')
  await untilState(first, open, 'INPUT_REQUIRED')
  const ended = await Promise.all(
    Array.from({ length: 60 }, (_, nth) => send(first, `artifact a ${large}${nth}`)),
  )
  await first.close()
  const purging = await startProbe({ dataDir, settings, world: { ...inDays(31), moment: world.moment } })
  await untilLeft(purging, 1)
  await purging.close()

  const left: number[] = []
  for (const image of images) {
    const probe = await startProbe({ dataDir: image.dataDir, settings })
    const { tasks, totalSize } = (await probe.call('JSONRPC', 'ListTasks', { pageSize: 100 })).result
    left.push(totalSize)
    expect(tasks).toHaveLength(totalSize)
    for (const { id } of tasks as Task[]) {
      const { result } = await probe.call('JSONRPC', 'GetTask', { id })
      if (id === open) expect(result.status.state).toBe('TASK_STATE_INPUT_REQUIRED')
      else expect(result).toEqual(ended.find((task) => task.id === id))
    }
    const rows = rowsIn(image.dataDir)
    expect([rows.messages, rows.snapshots, rows.events]).toEqual([
      totalSize,
      totalSize - 1,
      3 * totalSize - 1,
    ])
    await probe.close()
  }
  expect(new Set(left)).toEqual(new Set([61, 11, 1]))
  const goingOn = images[left.indexOf(11)]!
  await untilLeft(await startProbe({ dataDir: goingOn.dataDir, settings, world: inDays(31) }), 1)
})
