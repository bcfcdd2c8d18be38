import { expect, test } from 'vitest'
import { reportParts } from './report.ts'
import type { Finding, Review } from './review.ts'

const review = (findings: Finding[]): Review => ({
  repository: 'payments-api',
  base: 'main',
  baseCommit: '03a479740f87933dfacd1e263ab0556096a16d32',
  counts: { files: 3, additions: 3, deletions: 0, findings: { critical: 0, major: 0, minor: 0, info: 0 } },
  findings,
  verdict: 'approve',
  summary: 'Approved.',
})
const finding = (file: string, line: number): Finding => ({
  rule: 'weak-hash',
  severity: 'minor',
  file,
  line,
  message: 'MD5 is weak',
})

test('a review is told file by file, between what was reviewed and the verdict', () => {
  expect(reportParts(review([finding('a.js', 1), finding('a.js', 7), finding('b.js', 2)]))).toEqual([
    '# Review of payments-api\n\nAgainst `main`, commit 03a47974.\n',
    '\n## `a.js`\n\n- line 1, minor: MD5 is weak (weak-hash)\n- line 7, minor: MD5 is weak (weak-hash)\n',
    '\n## `b.js`\n\n- line 2, minor: MD5 is weak (weak-hash)\n',
    '\n## Verdict\n\nApproved.\n',
  ])
})

test('without findings there is the verdict alone', () => {
  expect(reportParts(review([]))).toHaveLength(2)
})

test('a file cannot write Markdown by its name', () => {
  const [, part] = reportParts(review([finding('a`![x](y)``.js', 1)]))
  expect(part).toContain('\n## ``` a`![x](y)``.js ```\n')
})
