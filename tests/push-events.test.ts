// What a receiver of push notifications gets (§3.1.7, §4.3.3): each event as a stream has it, whatever way the message was sent.
import { setTimeout as pause } from 'node:timers/promises'
import { textOf } from '@a2a-kit/task-core'
import type { StreamResponse } from '@a2a-kit/task-core/protocol'
import { describe, expect, test } from 'vitest'
import { operate } from './support/operator.ts'
import { startProbe, userMessage } from './support/probe.ts'
import { expectRefusal, waysToSend } from './support/refusals.ts'
import { allFrames } from './support/sse.ts'
import { answer, begin, send } from './support/talk.ts'
import { untilState } from './support/wait.ts'
import { local, logOf, pushTo, startWebhook, stateOf } from './support/webhook.ts'

const start = async () => ({ probe: await startProbe({ settings: local }), webhook: await startWebhook() })
const script = 'working on it; ask Which branch?; chunks 3; artifact report.txt all good; complete done'
const saysIn = (event: StreamResponse | undefined) => textOf(event?.statusUpdate?.status.message)

describe.each(waysToSend)('a config in $operation over $binding', ({ binding, operation }) => {
  test.each([false, true])(
    'PUSH-EVERY-UPDATE: has the receiver told every event, as the log has it (returnImmediately: %s) [PUSH-DELIVER-002]',
    async (returnImmediately) => {
      const { probe, webhook } = await start()
      const params = {
        message: userMessage(script),
        configuration: { ...pushTo(webhook), returnImmediately },
      }
      if (operation === 'SendMessage') await probe.call(binding, operation, params)
      else await allFrames(await probe.stream(binding, operation, params))
      const asked = await webhook.until('INPUT_REQUIRED')
      const { id } = asked[0]!.task!
      await answer(probe, id, 'main')
      const events = await webhook.until('COMPLETED')
      expect(events).toEqual(await logOf(probe, id))
      expect(events.map(stateOf).filter(Boolean)).toEqual([
        'TASK_STATE_SUBMITTED',
        'TASK_STATE_WORKING',
        'TASK_STATE_INPUT_REQUIRED',
        'TASK_STATE_WORKING',
        'TASK_STATE_COMPLETED',
      ])
    },
  )

  test('QUESTION-NOT-ANNOUNCED: a question and a request for approval reach the receiver', async () => {
    const { probe, webhook } = await start()
    const configuration = { ...pushTo(webhook), returnImmediately: true }
    const message = userMessage('ask Which branch?; authorize a deploy')
    if (operation === 'SendMessage') await probe.call(binding, operation, { message, configuration })
    else await allFrames(await probe.stream(binding, operation, { message, configuration }))
    const asked = (await webhook.until('INPUT_REQUIRED')).at(-1)
    expect(saysIn(asked)).toBe('Which branch?')
    await answer(probe, asked!.statusUpdate!.taskId, 'main')
    expect(saysIn((await webhook.until('AUTH_REQUIRED')).at(-1))).toContain('must approve a deploy')
  })
})

test('AUTH-BLOCKING-THEN-CONTINUES: what follows an approval is pushed, though nobody waits', async () => {
  const { probe, webhook } = await start()
  const params = { message: userMessage('authorize a deploy'), configuration: pushTo(webhook) }
  const { result } = await probe.call('JSONRPC', 'SendMessage', params)
  expect(result.task.status.state).toBe('TASK_STATE_AUTH_REQUIRED')
  await webhook.until('AUTH_REQUIRED')
  await operate(probe, 'approve', result.task.id)
  const events = await webhook.until('COMPLETED')
  expect(events).toEqual(await logOf(probe, result.task.id))
  expect(events.at(-2)!.artifactUpdate!.artifact.name).toBe('decision')
})

test('EARLY-CLOSE: what comes after an approval is streamed and pushed alike', async () => {
  const { probe, webhook } = await start()
  const params = { message: userMessage('authorize a deploy; chunks 3'), configuration: pushTo(webhook) }
  const stream = await probe.stream('JSONRPC', 'SendStreamingMessage', params)
  const frames = allFrames(stream)
  const [first] = await webhook.until('AUTH_REQUIRED')
  await operate(probe, 'approve', first!.task!.id)
  const events = await webhook.until('COMPLETED')
  expect(events).toEqual((await frames).map(({ id: _, ...frame }) => frame))
})

test('THROW-LEAVES-WORKING: a failure is pushed, wherever the agent throws', async () => {
  const { probe, webhook } = await start()
  for (const text of ['throw', 'working; throw', 'artifact a b; throw', 'fail']) {
    const params = { message: userMessage(text), configuration: pushTo(webhook) }
    const { result } = await probe.call('JSONRPC', 'SendMessage', params)
    const { id } = result.task
    expect(await webhook.until('FAILED', id)).toEqual(await logOf(probe, id))
  }
})

test('CANCEL-THEN-COMPLETED: the receiver sees one end, the same as everybody', async () => {
  const { probe, webhook } = await start()
  const rounds = Array.from({ length: 20 }, async (_, nth) => {
    const configuration = { ...pushTo(webhook), returnImmediately: true }
    const message = userMessage(`sleep ${20 + nth} ignoring abort; complete`)
    const { result } = await probe.call('JSONRPC', 'SendMessage', { message, configuration })
    await pause(20 + (nth % 5) - 2) // the race is the point: either may come first
    const canceled = await probe.call('JSONRPC', 'CancelTask', { id: result.task.id })
    return { id: result.task.id as string, canceled }
  })
  for (const { id, canceled } of await Promise.all(rounds)) {
    const log = await logOf(probe, id)
    const end = stateOf(log.at(-1))!
    const own = await webhook.until(end.replace('TASK_STATE_', ''), id)
    expect(own).toEqual(log)
    expect(canceled.result?.status.state ?? canceled.error?.reason).toBe(
      end === 'TASK_STATE_CANCELED' ? end : 'TASK_NOT_CANCELABLE',
    )
  }
})

test('a config in an answer has every event told from the acceptance of the answer on', async () => {
  const { probe, webhook } = await start()
  const { id: taskId, ...asked } = await send(probe, 'working; ask; artifact a b')
  expect(asked.status.state).toBe('TASK_STATE_INPUT_REQUIRED')
  const message = userMessage('main', { taskId })
  await probe.call('JSONRPC', 'SendMessage', { message, configuration: pushTo(webhook) })
  const events = await webhook.until('COMPLETED')
  expect(events).toEqual((await logOf(probe, taskId)).slice(3))
  expect(stateOf(events[0])).toBe('TASK_STATE_WORKING')
})

test('CreateTaskPushNotificationConfig has every later event told [PUSH-CREATE-001]', async () => {
  const { probe, webhook } = await start()
  const taskId = await begin(probe, 'ask; artifact a b')
  await untilState(probe, taskId, 'INPUT_REQUIRED')
  await probe.call('JSONRPC', 'CreateTaskPushNotificationConfig', { taskId, url: webhook.url })
  await answer(probe, taskId, 'main')
  const events = await webhook.until('COMPLETED')
  expect(events).toEqual((await logOf(probe, taskId)).slice(2))
})

test('a message that is refused stores no config, and one that is repeated no second one', async () => {
  const { probe, webhook } = await start()
  const list = async (taskId: string) =>
    (await probe.call('JSONRPC', 'ListTaskPushNotificationConfigs', { taskId })).result.configs
  const { id: taskId } = await send(probe, 'complete')
  const late = { message: userMessage('more', { taskId }), configuration: pushTo(webhook) }
  const refused = await probe.call('JSONRPC', 'SendMessage', late)
  expectRefusal(refused, 'JSONRPC', 'UNSUPPORTED_OPERATION')
  expect(await list(taskId)).toEqual([])

  const params = { message: userMessage('ask'), configuration: pushTo(webhook) }
  const [first, second] = [
    await probe.call('JSONRPC', 'SendMessage', params),
    await probe.call('JSONRPC', 'SendMessage', params),
  ]
  expect(second!.result.task.id).toBe(first!.result.task.id)
  expect(await list(first!.result.task.id)).toHaveLength(1)
})

test('a message that is answered without a task is pushed to nobody', async () => {
  const { probe, webhook } = await start()
  const direct = { message: userMessage('reply hello'), configuration: pushTo(webhook) }
  expect((await probe.call('JSONRPC', 'SendMessage', direct)).result.message).toBeDefined()
  const { id } = (
    await probe.call('JSONRPC', 'SendMessage', {
      message: userMessage('complete'),
      configuration: pushTo(webhook),
    })
  ).result.task
  expect(await webhook.until('COMPLETED')).toEqual(await logOf(probe, id))
})
