// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the cases are code that holds templates
import { expect, test } from 'vitest'
import { readSource } from './source.ts'

const code = (text: string, path = 'a.ts') => readSource(path, text.split('\n')).code

test('the contents of strings, templates, patterns and comments are blanks in the code', () => {
  expect(code(`a('one', "two")`)).toBe(`a('   ', "   ")`)
  expect(code('a(`one ${two} three ${four}`)')).toBe('a(`    ${two}       ${four}`)')
  expect(code('a(/one/g) // two')).toBe('a(/    g)       ')
  expect(code('a /* one\ntwo */ b')).toBe('a       \n       b')
  expect(code('<p title="one">two</p>', 'a.tsx')).toBe('<p title="   ">   </p>')
})

test('the comments stand alone in their view, at the same places', () => {
  const { text, comments } = readSource('a.ts', ['a() // one', "'// two'", '/* three', 'four */'])
  expect(comments).toBe('    // one\n        \n/* three\nfour */')
  expect(comments).toHaveLength(text.length)
})

test('other files are all code', () => {
  expect(code('password: "one" # two', 'a.yaml')).toBe('password: "one" # two')
})

test('code that is not complete is read all the same', () => {
  for (const text of ['`one ${two', "'one", '/* one', 'a(/one', '}}}) ]']) {
    expect(code(text)).toHaveLength(text.length)
  }
})

test('a line knows its number', () => {
  const { lineAt } = readSource('a.ts', ['one', '', 'three'])
  expect([0, 3, 4, 5, 9].map(lineAt)).toEqual([1, 1, 2, 3, 3])
})

test('lines that nobody reviews are empty', () => {
  expect(readSource('a.ts', ['x'.repeat(1001), 'two']).text).toBe('\ntwo')
})
