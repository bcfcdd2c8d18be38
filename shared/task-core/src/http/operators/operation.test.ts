import { expect, test } from 'vitest'
import { fieldsOf, inOneLine } from './operation.ts'

test('each value of an operation has a line with its path, whatever its depth, and none looks like another', () => {
  const operation = {
    build: '7',
    count: 7,
    dry: false,
    none: null,
    'a.b': { 'x[0]': [1, { y: 'z' }] },
    empty: { list: [], object: {}, text: '' },
  }
  expect(fieldsOf(operation)).toEqual([
    ['build', '"7"'],
    ['count', '7'],
    ['dry', 'false'],
    ['none', 'null'],
    ['"a.b"."x[0]"[0]', '1'],
    ['"a.b"."x[0]"[1].y', 'z'],
    ['empty.list', '[]'],
    ['empty.object', '{}'],
    ['empty.text', '""'],
  ])
})

test('for a list it is one line', () => {
  expect(inOneLine({ action: 'deploy', to: { host: 'a' } })).toBe('action: deploy, to.host: a')
  expect(inOneLine({})).toBe('')
})
