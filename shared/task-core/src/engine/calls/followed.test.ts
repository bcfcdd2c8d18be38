import { expect, test } from 'vitest'
import type { Task } from '../../protocol/index.ts'
import { type FollowRecord, settleOutside, startOver } from './followed.ts'

const task = {
  id: 'T',
  contextId: 'C',
  status: { state: 'TASK_STATE_COMPLETED', timestamp: '2026-10-06T09:00:09Z' },
}

test.each([
  [
    'after it was asked, on a finer clock',
    '2026-10-06T09:00:00Z',
    '2026-10-06T09:00:00.25Z',
    '2026-10-06T09:00:00.25Z',
  ],
  [
    'after it was asked, in another zone',
    '2026-10-06T11:00:00+02:00',
    '2026-10-06T09:00:01Z',
    '2026-10-06T09:00:01Z',
  ],
  [
    'before it was asked: of an earlier wait',
    '2026-10-06T09:00:02.5Z',
    '2026-10-06T09:00:02Z',
    '2026-10-06T09:00:09Z',
  ],
  ['while nobody saw it', '2026-10-06T09:00:02Z', undefined, '2026-10-06T09:00:09Z'],
])('the end of a wait is dated, where the other went on %s', (_, at, wentOnAt, answeredAt) => {
  const asked = { kind: 'authorization' as const, text: 'May I?', at, identity: 'one' }
  const record: FollowRecord = { agent: 'a', url: 'u', messageId: 'm', startedAt: at, asked: [asked] }
  settleOutside(record, task as Task, wentOnAt)
  expect(record.asked).toMatchObject([{ answeredBy: 'outside', answeredAt }])
})

test('what is begun anew knows nothing of the task that is gone but its id, and gives no answer of then to what is asked now', () => {
  const at = '2026-10-06T09:00:00Z'
  const sent = { by: 'caller' as const, parts: [{ text: 'main' }] }
  const record: FollowRecord = {
    agent: 'a',
    url: 'u',
    messageId: 'm',
    startedAt: at,
    taskId: 'T',
    contextId: 'C',
    lastEventId: '7',
    asked: [{ kind: 'question', text: 'Which branch?', at, identity: 'one', sent }],
  }
  expect(startOver(record, '2026-10-06T09:00:09Z')).toBe(true)
  const { asked, ...rest } = record
  const left = { agent: 'a', url: 'u', messageId: 'm/again:1', startedAt: at, lost: ['T'] }
  expect(rest).toEqual(left)
  expect(asked).toMatchObject([{ answeredBy: 'outside', answeredAt: '2026-10-06T09:00:09Z' }])
  expect(startOver(record, at), 'where no task is known').toBe(false)
  expect(record).toEqual({ ...left, asked })
})
