// Whatever a message holds: a request for a review, or the words for what is wrong with it; a diff is read, or its fault is named.
import { type Message, TaskError } from '@a2a-kit/task-core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { branchInProse, readBaseBranch } from './base-branch.ts'
import { changedFiles, faultOf } from './diff.ts'
import { parseReviewRequest } from './request.ts'
import { reviewDiff } from './review.ts'

const lines = [
  ...[
    'diff --git a/x.js b/x.js',
    'index 1..2 100644',
    '--- a/x.js',
    '+++ b/x.js',
    '--- /dev/null',
    '+++ /dev/null',
  ],
  ...[
    '@@ -1 +1 @@',
    '@@ -1,2 +1,3 @@',
    '@@ -0,0 +1 @@',
    '@@ -9,1 +9,1 @@ f()',
    '@@@ -1 -1 +1 @@@',
    '-old',
    '+new',
    ' same',
  ],
  ...[
    '\\ No newline at end of file',
    'rename from a',
    'rename to b',
    'new file mode 100644',
    'deleted file mode 100644',
  ],
  ...[
    'Binary files a/x and b/x differ',
    'GIT binary patch',
    '```diff',
    '```',
    '',
    'against main:',
    'review: "',
    '+`${',
    '+/*',
  ],
]
const diff = fc
  .array(fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...lines) }, fc.string({ unit: 'binary' })), {
    maxLength: 14,
  })
  .map((all) => all.join('\n'))
const fields = fc.dictionary(
  fc.constantFrom('diff', 'baseBranch', 'repository', '__proto__'),
  fc.oneof(diff, fc.jsonValue()),
)
const part = fc.oneof(
  diff.map((text) => ({ text })),
  fields.map((data) => ({ data })),
  fc.uint8Array().map((bytes) => ({ raw: Buffer.from(bytes).toString('base64') })),
  diff.map((text) => ({ raw: Buffer.from(text).toString('base64') })),
  fc.constant({ url: 'https://x.example/' }),
)
const messages = fc
  .record({
    parts: fc.array(part, { minLength: 1, maxLength: 3 }),
    metadata: fc.option(fields, { nil: undefined }),
  })
  .map((fields) => ({ messageId: 'm', role: 'ROLE_USER', ...fields }) as unknown as Message)

test('whatever a message holds, it is one diff to review, or is told what is wrong', () => {
  fc.assert(
    fc.property(messages, (message) => {
      readBaseBranch(message)
      branchInProse(message.parts[0]!.text ?? '')
      try {
        const request = parseReviewRequest(message, ['payments-api', 'other'])
        expect(faultOf(request.diff)).toBeUndefined()
      } catch (error) {
        if (!(error instanceof TaskError)) throw error
      }
    }),
    { numRuns: 500 },
  )
})

test('whatever a text holds, its fault as a diff is named, or its files are read', () => {
  fc.assert(
    fc.property(diff, (text) => {
      const fault = faultOf(text)
      if (fault !== undefined) {
        expect(fault).not.toBe('')
        return
      }
      for (const { added, additions, path } of changedFiles(text)) {
        expect(typeof path).toBe('string')
        expect(added.size).toBe(additions)
      }
      const { findings, counts } = reviewDiff(text, { repository: 'r', base: 'main', baseCommit: 'c' })
      expect(findings.length).toBe(Object.values(counts.findings).reduce((sum, count) => sum + count, 0))
    }),
    { numRuns: 500 },
  )
})
