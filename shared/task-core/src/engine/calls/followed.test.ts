import { expect, test } from 'vitest'
import type { Task } from '../../protocol/index.ts'
import { type FollowRecord, settleOutside } from './followed.ts'

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
