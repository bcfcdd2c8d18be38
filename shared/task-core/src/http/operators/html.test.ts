import fc from 'fast-check'
import { expect, test } from 'vitest'
import { harmless, html } from './html.ts'

test('what is put into markup is text, but for markup', () => {
  const inner = html`<b>${'a & b'}</b>`
  expect(html`<p title="${'"x"'}">${inner}${[inner, "'"]}${undefined}${false}</p>`.markup).toBe(
    '<p title="&#34;x&#34;"><b>a &#38; b</b><b>a &#38; b</b>&#39;</p>',
  )
})

test('no text leaves its place, and none has a character that hides or turns others', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const { markup } = html`${text}`
      expect(markup).not.toMatch(/[<>"']|&(?!#\d+;)/)
      expect(markup).not.toMatch(
        /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/,
      )
    }),
  )
})

test.each([
  ['a\r\nb\tc', 'a\nb\tc'],
  ['\u202eabc', '⟨U+202E⟩abc'],
  ['a\u0000b', 'a⟨U+0000⟩b'],
  ['\u{e0041}', '⟨U+E0041⟩'],
  ['\ud800', '⟨U+D800⟩'],
  ['日本 עברית é ⚠️ 🚀', '日本 עברית é ⚠️ 🚀'],
])('%j is shown as %j', (text, shown) => {
  expect(harmless(text)).toBe(shown)
})
