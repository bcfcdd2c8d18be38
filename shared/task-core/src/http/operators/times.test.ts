import { expect, test } from 'vitest'
import { duration, moment } from './times.ts'

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000]

test.each([
  [0, 'less than a minute'],
  [-5 * day, 'less than a minute'],
  [minute - 1, 'less than a minute'],
  [minute, '1 minute'],
  [hour - second, '59 minutes'],
  [hour + minute, '1 hour and 1 minute'],
  [day - second, '23 hours and 59 minutes'],
  [2 * day + minute, '2 days and 1 minute'],
  [3 * day + 2 * hour + minute, '3 days and 2 hours'],
])('%i ms is %s', (ms, words) => {
  expect(duration(ms)).toBe(words)
})

test('a moment is told in full and in UTC, and for programs', () => {
  expect(moment('2026-10-06T09:00:00.500Z').markup).toBe(
    '<time datetime="2026-10-06T09:00:00.500Z">6 October 2026 at 09:00:00 UTC</time>',
  )
})
