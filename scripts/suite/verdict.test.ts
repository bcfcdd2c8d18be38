import { expect, test } from 'vitest'
import { judge, readCounts, sayCounts } from './verdict.ts'

const report = `<?xml version="1.0"?><testsuites><testsuite tests="4">
<testcase classname="a" name="test_one[jsonrpc]" time="0.1" />
<testcase classname="a" name="test_two" time="0.1"><skipped message="no &gt; grpc">why</skipped></testcase>
<testcase classname="a" name="test_three" time="0.1"><failure message="assert">...</failure></testcase>
<testcase classname="a" name="test_four" time="0.1"><error message="boom">...</error></testcase>
</testsuite></testsuites>`

test('the counts of a report are read: passed, skipped, and the names of what failed', () => {
  expect(readCounts(report)).toEqual({ passed: 1, skipped: 1, failed: ['test_three', 'test_four'] })
  expect(sayCounts(readCounts(report))).toBe('1 passed, 2 failed, 1 skipped (failed: test_three, test_four)')
})

test('a report without a test is no result', () => {
  expect(() => readCounts('')).toThrow(/left no result/)
})

test('with the full card 250 pass, 15 are skipped, and nothing fails: anything else is said', () => {
  expect(judge('full', { passed: 250, skipped: 15, failed: [] })).toEqual([])
  expect(judge('full', { passed: 249, skipped: 15, failed: ['test_x'] })).toEqual([
    'test_x failed',
    '249 passed, not 250',
  ])
  expect(judge('full', { passed: 180, skipped: 85, failed: [] })).toEqual([
    '180 passed, not 250',
    '85 skipped, not 15',
  ])
})

test('with the minimal card the one test that no server passes is let go', () => {
  const counts = { passed: 182, skipped: 82, failed: ['test_streaming_content_type'] }
  expect(judge('minimal', counts)).toEqual([])
  expect(judge('minimal', { ...counts, failed: ['test_y'] })).toEqual(['test_y failed'])
})
