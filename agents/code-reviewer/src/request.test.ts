import type { Message, Part } from '@a2a-kit/task-core/protocol'
import { describe, expect, test } from 'vitest'
import { parseReviewRequest } from './request.ts'

const diff = `diff --git a/src/a.js b/src/a.js
--- a/src/a.js
+++ b/src/a.js
@@ -1,2 +1,3 @@
 one
+two
 three
`

const message = (parts: Part[], metadata?: Message['metadata']): Message => ({
  messageId: 'm1',
  role: 'ROLE_USER',
  parts,
  ...(metadata ? { metadata } : {}),
})
const read = (parts: Part[], known = ['payments-api'], metadata?: Message['metadata']) =>
  parseReviewRequest(message(parts, metadata), known)
const base64 = (text: string | Uint8Array) => Buffer.from(text).toString('base64')

describe('the diff', () => {
  test('is read from a text, a file or data', () => {
    const ways: Part[][] = [
      [{ text: diff }],
      [{ text: diff.trimEnd() }],
      [{ text: `Please review this diff of payments-api:\n\n${diff}` }],
      [{ text: `Please review:\n\n\`\`\`diff\n${diff}\`\`\`\nThank you! - Ann\n- and Bob` }],
      [{ raw: base64(diff), filename: 'change.diff', mediaType: 'text/x-diff' }],
      [{ text: 'Please review the file.' }, { raw: base64(diff), mediaType: 'text/x-patch' }],
      [{ data: { diff } }],
      [{ text: 'Please review.' }, { data: { repository: 'payments-api', diff } }],
    ]
    for (const parts of ways) expect(read(parts)).toMatchObject({ repository: 'payments-api', diff })
  })

  test('keeps what git prints around it from confusing the parser', () => {
    const mail = `From 0a1b2c Mon Sep 17 00:00:00 2001\nSubject: [PATCH] Add two\n\n---\n src/a.js | 1 +\n\n${diff}-- \n2.39.5\n\n`
    expect(read([{ text: mail }]).diff.startsWith(diff)).toBe(true)
    expect(read([{ text: `${diff}\nThank you!\n` }]).diff.startsWith(diff)).toBe(true)
  })

  test('loses the CRLF that a mail program gave to every line, but not that of a file', () => {
    expect(read([{ text: diff.replaceAll('\n', '\r\n') }]).diff).toBe(diff)
    const ofDosFile = diff.replace(' one\n+two\n three\n', ' one\r\n+two\r\n three\r\n')
    expect(read([{ text: ofDosFile }]).diff).toBe(ofDosFile)
  })

  test.each<[string, Part[], RegExp]>([
    [
      'no diff at all',
      [{ text: 'review feature/x' }],
      /There is no diff in this message\. Send what `git diff` prints/,
    ],
    ['data without one', [{ data: { repository: 'payments-api' } }], /There is no diff/],
    ['nothing in a file', [{ raw: base64('hello'), filename: 'a.txt' }], /There is no diff/],
    [
      'bytes that are no text',
      [{ raw: base64(Uint8Array.of(0xff, 0xfe)), filename: 'a.diff' }],
      /a\.diff is not text in UTF-8/,
    ],
    ['a link', [{ url: 'https://example.com/a.diff' }], /does not fetch https:\/\/example\.com\/a\.diff/],
    ['a diff of the wrong type', [{ data: { diff: 42 } }], /diff must be a text/],
    ['two diffs', [{ text: diff }, { raw: base64(diff) }], /several diffs/],
    ['two blocks', [{ text: `\`\`\`\n${diff}\`\`\`\nand\n\`\`\`\n${diff}\`\`\`\n` }], /several diffs/],
    [
      'a diff that is cut off',
      [{ text: diff.slice(0, diff.indexOf(' three')) }],
      /not a unified diff: .*line 4/,
    ],
    [
      'a line without a sign',
      [{ text: diff.replace('+two', 'two') }],
      /not a unified diff: .*contained invalid line two/,
    ],
    ['a hunk without a file', [{ text: diff.slice(diff.indexOf('@@')) }], /does not say which file/],
    ['a file without a hunk', [{ text: '--- a/src/a.js\n+++ b/src/a.js\n' }], /has no hunk/],
    ['the diff of a merge', [{ text: diff.replace(/@@/g, '@@@') }], /combined diff of a merge/],
  ])('%s fails and says so', (_, parts, says) => {
    expect(() => read(parts)).toThrow(says)
  })
})

describe('the repository', () => {
  const two = ['payments-api', 'ledger']

  test('is read from data, from metadata or from the prose', () => {
    expect(read([{ data: { repository: 'ledger', diff } }], two).repository).toBe('ledger')
    expect(read([{ text: diff }], two, { repository: 'ledger' }).repository).toBe('ledger')
    expect(read([{ text: `Please review this diff of ledger:\n${diff}` }], two).repository).toBe('ledger')
    expect(read([{ text: `My change to \`ledger\`.\n${diff}` }], two).repository).toBe('ledger')
  })

  test('is the only one if none is named', () => {
    expect(read([{ text: `Is this patch for refunds good? I am not sure of it:\n${diff}` }]).repository).toBe(
      'payments-api',
    )
    expect(read([{ text: diff }], two).repository).toBeUndefined()
  })

  test('may be one that is not known', () => {
    expect(read([{ data: { repository: 'billing', diff } }]).repository).toBe('billing')
    expect(read([{ text: `Please review this diff of billing:\n${diff}` }]).repository).toBe('billing')
    expect(read([{ text: `Please review this diff of web-shop\n${diff}` }]).repository).toBe('web-shop')
    expect(read([{ text: `Repository: billing\n${diff}` }]).repository).toBe('billing')
  })

  test('is not looked for in the diff', () => {
    expect(read([{ text: diff.replaceAll('src/a.js', 'ledger') }], two).repository).toBeUndefined()
  })
})

describe('the base branch', () => {
  test('is read from data, from metadata or from the prose', () => {
    expect(read([{ data: { diff, baseBranch: 'develop' } }]).baseBranch).toBe('develop')
    expect(read([{ text: diff }], undefined, { baseBranch: 'develop' }).baseBranch).toBe('develop')
    const prose = (words: string) => read([{ text: `${words}\n${diff}` }]).baseBranch
    expect(prose('Please review this diff of payments-api against release/2026.09:')).toBe('release/2026.09')
    expect(prose('Review this against the `main` branch')).toBe('main')
  })

  test('is unknown if nothing names it clearly', () => {
    expect(read([{ text: `Please review this diff of payments-api:\n${diff}` }]).baseBranch).toBeUndefined()
    expect(
      read([{ text: `Does this guard us against the replay of webhooks?\n${diff}` }]).baseBranch,
    ).toBeUndefined()
    expect(read([{ data: { diff, baseBranch: '' } }]).baseBranch).toBeUndefined()
  })
})
