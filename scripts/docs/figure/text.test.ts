import fc from 'fast-check'
import { expect, test } from 'vitest'
import { measure, wrap } from './text.ts'

const room = 160
const anyText = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.lorem({ maxCount: 20 }))

test('a text breaks between words', () => {
  expect(wrap('SendStreamingMessage: deploy build 2026.10.06-1', 'label', 230)).toEqual([
    'SendStreamingMessage: deploy',
    'build 2026.10.06-1',
  ])
})

test('a word that is longer than a line breaks at its joints', () => {
  expect(wrap('code-reviewer', 'head', 60)).toEqual(['code-', 'reviewer'])
  expect(wrap('http://localhost:41243/approve/ecf2dcb6', 'detail', room)).toEqual([
    'http://localhost:',
    '41243/approve/',
    'ecf2dcb6',
  ])
  expect(wrap('taskStatusUpdateEvent', 'label', 100)).toEqual(['taskStatus', 'UpdateEvent'])
})

test('a word without joints breaks between characters, and never inside of one', () => {
  expect(wrap('abcdefghij', 'label', 41)).toEqual(['abcde', 'fghij'])
  expect(wrap('e\u0301e\u0301e\u0301', 'label', 17)).toEqual(['e\u0301e\u0301', 'e\u0301'])
})

test('no line is wider than its room, and no character is lost', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const lines = wrap(text, 'label', room)
      for (const line of lines) expect(measure(line, 'label')).toBeLessThanOrEqual(room)
      const blank = /[\s\p{Cc}]+/gu
      expect(lines.join('').replace(blank, '')).toBe(text.replace(blank, ''))
    }),
  )
})

test('an ideograph counts as two letters', () => {
  expect(measure('部署', 'label')).toBeGreaterThanOrEqual(measure('abcd', 'label'))
})
