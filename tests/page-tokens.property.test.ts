// Whatever is sent as a page token: a page of the caller's own, or a refusal that names the field.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { userMessage } from './support/probe.ts'
import { shareProbe } from './support/shared-probe.ts'

const shared = shareProbe()

test('whatever is sent as a page token is one that the agent gave, or is refused by its name', async () => {
  const { probe } = shared
  const ids: string[] = []
  for (const text of ['ask', 'complete', 'complete']) {
    const { result } = await probe.call('JSONRPC', 'SendMessage', { message: userMessage(text) })
    ids.push(result.task.id)
  }
  const { nextPageToken } = (await probe.call('JSONRPC', 'ListTasks', { pageSize: 1 })).result
  const [time, task, mark] = Buffer.from(nextPageToken, 'base64url').toString().split('.')
  const number = fc.oneof(
    fc.constantFrom(time!, task!, '0', '1', '-1', '1e3', '999999999999999', '9'.repeat(16), ''),
    fc.string(),
  )
  const token = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string().map((text) => Buffer.from(text).toString('base64url')),
    fc
      .tuple(number, number, fc.constantFrom(mark!, 'x'))
      .map((parts) => Buffer.from(parts.join('.')).toString('base64url')),
    number.map((config) => Buffer.from(`after ${config}`).toString('base64url')),
  )
  await fc.assert(
    fc.asyncProperty(
      token,
      fc.constantFrom('JSONRPC' as const, 'HTTP+JSON' as const),
      async (pageToken, binding) => {
        const tasks = await probe.call(binding, 'ListTasks', { pageToken })
        const configs = await probe.call(binding, 'ListTaskPushNotificationConfigs', {
          taskId: ids[0],
          pageToken,
        })
        for (const { error } of [tasks, configs]) {
          if (error) expect([error.reason, error.fields]).toEqual(['INVALID_PARAMS', ['pageToken']])
        }
        for (const { id } of tasks.result?.tasks ?? []) expect(ids).toContain(id)
      },
    ),
  )
})
