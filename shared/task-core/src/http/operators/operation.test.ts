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
  expect([...fieldsOf(operation)]).toEqual([
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
  expect(inOneLine({ action: 'deploy', to: { host: 'a' } }, 200)).toBe('action: deploy, to.host: a')
  expect(inOneLine({}, 200)).toBe('')
})

test('for a list it is cut after so many characters, however much there is', () => {
  expect(inOneLine({ text: '0123456789' }, 16)).toBe('text: 0123456789')
  expect(inOneLine({ text: '0123456789' }, 15)).toBe('text: 012345678…')
  const huge = { ['k'.repeat(30_000)]: Array.from({ length: 20_000 }, () => 1) }
  expect(inOneLine(huge, 20)).toBe(`${'k'.repeat(20)}…`)
})
