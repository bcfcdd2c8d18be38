// Push notifications across the death of the process: what was not acknowledged is sent by the next one.

import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { freePort } from '../scripts/ports.ts'
import { type Child, startChild } from './support/child.ts'
import { temporaryFolder, userMessage } from './support/probe.ts'
import { answer } from './support/talk.ts'
import { until, untilState } from './support/wait.ts'
import { type Behaviour, logOf, pushTo, startWebhook, type Webhook } from './support/webhook.ts'

const env = {
  PUSH_ALLOWED_HOSTS: '127.0.0.0/8',
  PUSH_FIRST_DELAY_MS: '20',
  PUSH_LONGEST_DELAY_MS: '100',
  PUSH_ATTEMPTS: '1000',
}

async function send(agent: Child, webhook: Webhook, text: string): Promise<string> {
  const configuration = { ...pushTo(webhook, { id: 'mine' }), returnImmediately: true }
  const { result } = await agent.call('JSONRPC', 'SendMessage', { message: userMessage(text), configuration })
  return result.task.id
}

/** Resolves when every acknowledgement is stored: one that was not yet is asked for again after a crash. */
const noted = ({ dataDir }: Child) =>
  until('the last acknowledgement in the store', () => {
    const db = new Database(join(dataDir, 'conformance.db'), { readonly: true })
    const due = db.prepare('SELECT count(*) FROM push_configs WHERE due = 1').pluck().get()
    db.close()
    return due === 0
  })

describe.each<[string, Behaviour, number]>([
  ['fails', 500, 3],
  ['hangs', 'hang', 1],
  ['answers slowly', { slow: 100 }, 2],
  ['redirects', { status: 307, headers: { location: '/elsewhere' } }, 3],
  ['cuts the connection', 'drop', 3],
])('PUSH-RETRY: a receiver that %s', (_, behaviour, requests) => {
  test('has every event, in order, when it has recovered, though the agent was killed [PUSH-DELIVER-002]', async () => {
    const [first, webhook] = [await startChild({ env }), await startWebhook()]
    webhook.answers([], behaviour)
    const id = await send(first, webhook, 'working; chunks 4; complete')
    await webhook.count(requests)
    await first.end('SIGKILL')
    const second = await first.again()
    await untilState(second, id, 'COMPLETED')
    await webhook.count(requests + 1)
    await second.end('SIGKILL')
    webhook.answers([])
    const third = await second.again()
    expect(await webhook.until('COMPLETED')).toEqual(await logOf(third, id))
  })
})

test('PUSH-RETRY: a receiver that is down has every event when it is up again, though the agent was killed', async () => {
  const [first, webhook] = [await startChild({ env }), await startWebhook(await freePort())]
  await webhook.close()
  const id = await send(first, webhook, 'chunks 4; complete')
  await untilState(first, id, 'COMPLETED')
  await first.end('SIGKILL')
  const second = await first.again()
  const back = await startWebhook(Number(new URL(webhook.url).port))
  expect(await back.until('COMPLETED')).toEqual(await logOf(second, id))
})

test('PARKED-TASK-SURVIVES-RESTART: a task that waits keeps its configs, and its receiver hears of the rest [PUSH-CREATE-002]', async () => {
  const [first, webhook] = [await startChild({ env }), await startWebhook()]
  const taskId = await send(first, webhook, 'ask; artifact a b')
  await webhook.until('INPUT_REQUIRED')
  const config = { taskId, id: 'mine' }
  const before = (await first.call('JSONRPC', 'GetTaskPushNotificationConfig', config)).result
  await first.end('SIGKILL')
  const second = await first.again()
  const after = (await second.call('JSONRPC', 'GetTaskPushNotificationConfig', config)).result
  expect(after).toEqual(before)
  await answer(second, taskId, 'main')
  expect(await webhook.until('COMPLETED')).toEqual(await logOf(second, taskId))
})

test('ZOMBIE-AFTER-CRASH: what happens after a crash is pushed once, and not again at the second restart', async () => {
  const journal = `${await temporaryFolder()}/journal`
  const options = { main: 'tests/support/journal-agent.ts', env: { ...env, JOURNAL: journal } }
  const [first, webhook] = [await startChild(options), await startWebhook()]
  const id = await send(first, webhook, 'steps')
  await webhook.until('WORKING')
  await noted(first)
  await first.end('SIGKILL')
  const second = await first.again()
  await appendFile(`${journal}-${id}`, '')
  const events = await webhook.until('COMPLETED')
  expect(events).toEqual(await logOf(second, id))
  await noted(second)
  await second.end('SIGKILL')
  const third = await second.again()
  const last = await send(third, webhook, 'complete')
  await webhook.until('COMPLETED', last)
  const ends = webhook.received.filter(({ body }) => body.statusUpdate?.taskId === id)
  expect(ends.map(({ body }) => body.statusUpdate!.status.state)).toEqual([
    'TASK_STATE_WORKING',
    'TASK_STATE_COMPLETED',
  ])
})
