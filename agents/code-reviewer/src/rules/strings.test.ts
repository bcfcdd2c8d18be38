// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the cases are code that holds templates
import { expect, test } from 'vitest'
import { readSource } from '../source.ts'
import { builtStringAt, constantsOf } from './strings.ts'

const built = (code: string) => {
  const { tokens } = readSource('a.ts', code.split('\n'))
  const found = builtStringAt(tokens, 0, constantsOf(tokens))
  return found && { text: found.text, code: code.slice(found.start, found.end) }
}

test.each([
  ['`a ${x} b ${y.z()} c`', 'a ? b ? c', '`a ${x} b ${y.z()} c`'],
  ['`a ${x(`b ${y}`)} c ${z} d`; more', 'a ? c ? d', '`a ${x(`b ${y}`)} c ${z} d`'],
  ['`a\n${x}\nb`', 'a\n?\nb', '`a\n${x}\nb`'],
  ['`a ${COLUMNS} b ${x}`', 'a  b ?', '`a ${COLUMNS} b ${x}`'],
  [`'a ' + "b " + x + 'c'`, 'a b ?', `'a ' + "b " + x`],
  [`'a ' + COLUMNS + (x)`, 'a ?', `'a ' + COLUMNS + (`],
])('the string %j is built from parts', (code, text, whole) => {
  expect(built(code)).toEqual({ text, code: whole })
})

test.each(["'a'", '`a`', `'a' + 'b'`, '`a ${COLUMNS}`', 'x + y', '`a ${x'])('%j is not', (code) => {
  expect(built(code)).toBeUndefined()
})
