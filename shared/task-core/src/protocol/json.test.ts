import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { FieldViolation } from './errors.ts'
import {
  anyValue,
  bool,
  bytes,
  count,
  enumeration,
  int32,
  type Read,
  string,
  struct,
  timestamp,
} from './json.ts'
import { list, message } from './json-composites.ts'

/** What `reader` makes of `value`, or the faults that it finds. */
function read<T>(reader: Read<T>, value: unknown): T | undefined | { faults: FieldViolation[] } {
  const faults: FieldViolation[] = []
  const normal = reader(value, 'field', faults)
  return faults.length > 0 ? { faults } : normal
}
const fault = (description: string | RegExp, field = 'field') => ({
  faults: [{ field, description: expect.stringMatching(description) }],
})

describe('int32', () => {
  test.each([
    [0, 0],
    [-7, -7],
    [2 ** 31 - 1, 2 ** 31 - 1],
    ['12', 12],
    ['-12', -12],
    ['12.0', 12],
    ['1.2e1', 12],
    [12.0, 12],
  ])('%j is %i', (given, normal) => expect(read(int32, given)).toBe(normal))

  test.each([
    1.5,
    '1.5',
    '',
    ' 1',
    '1 ',
    '0x10',
    '١',
    'NaN',
    'Infinity',
    Infinity,
    Number.NaN,
    true,
    [1],
    {},
  ])('%j is no whole number', (given) => {
    expect(read(int32, given)).toEqual(fault('whole number'))
  })

  test.each([2 ** 31, -(2 ** 31) - 1, 1e20, '1e20'])('%j is out of range', (given) => {
    expect(read(int32, given)).toEqual(fault('32 bits'))
  })

  test('a count is not negative', () => {
    expect(read(count, 0)).toBe(0)
    expect(read(count, -1)).toEqual(fault('0 or more'))
    expect(read(count, 'x')).toEqual(fault('whole number'))
  })
})

describe('string and bool', () => {
  test('a string is kept as it is, if it can be written as UTF-8', () => {
    for (const text of ['', 'a', '😀', '\u0000\u2028']) expect(read(string, text)).toBe(text)
    for (const text of ['\ud800', 'a\udc00b', '\udc00\ud800']) {
      expect(read(string, text)).toEqual(fault('lone surrogate'))
    }
    for (const other of [7, true, ['a'], {}]) expect(read(string, other)).toEqual(fault('must be a string'))
  })

  test('only true and false are bool', () => {
    expect([read(bool, true), read(bool, false)]).toEqual([true, false])
    for (const other of ['true', 1, 0, '']) expect(read(bool, other)).toEqual(fault('true or false'))
  })
})

describe('bytes', () => {
  test('any bytes come out the same, from either alphabet, with and without padding', () => {
    fc.assert(
      fc.property(
        fc.uint8Array(),
        fc.constantFrom('base64', 'base64url'),
        fc.boolean(),
        (given, alphabet, padded) => {
          const normal = Buffer.from(given).toString('base64')
          const text = Buffer.from(given).toString(alphabet as 'base64')
          const padding = padded ? '='.repeat((4 - (text.replace(/=/g, '').length % 4)) % 4) : ''
          expect(read(bytes, text.replace(/=/g, '') + padding)).toBe(normal)
        },
      ),
    )
  })

  test.each(['a', 'abcde', 'ab=c', 'a*', 'ab cd', 'ab\n', 'QQ===', '====', 7])('%j is no base64', (given) => {
    expect(read(bytes, given)).toEqual(fault('base64'))
  })
})

describe('timestamp', () => {
  test.each([
    ['2026-10-06T09:00:00Z', '2026-10-06T09:00:00.000Z'],
    ['2026-10-06T11:00:00.5+02:00', '2026-10-06T09:00:00.500Z'],
    ['2026-10-06t09:00:00z', '2026-10-06T09:00:00.000Z'],
    ['2026-10-06T09:00:00.123000Z', '2026-10-06T09:00:00.123Z'],
    ['2026-10-06T09:00:00.123000001Z', '2026-10-06T09:00:00.124Z'],
    ['2026-10-06T09:00:00.999999999Z', '2026-10-06T09:00:01.000Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
  ])('%s is %s', (given, normal) => expect(read(timestamp, given)).toBe(normal))

  test.each([
    '2026-10-06',
    '2026-10-06T09:00:00',
    '2026-10-06 09:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-02-29T00:00:00Z',
    '2026-10-06T25:00:00Z',
    'Tue, 06 Oct 2026 09:00:00 GMT',
    '',
    1791277200000,
  ])('%j is no time', (given) => expect(read(timestamp, given)).toEqual(fault('must be a time')))
})

describe('enumeration', () => {
  const colour = enumeration(['COLOUR_UNSPECIFIED', 'COLOUR_RED', 'COLOUR_BLUE'])

  test('a value comes by name or number; the unspecified one is absent', () => {
    for (const red of ['COLOUR_RED', 1, '1']) expect(read(colour, red)).toBe('COLOUR_RED')
    for (const none of ['COLOUR_UNSPECIFIED', 0, '0']) expect(read(colour, none)).toBeUndefined()
  })

  test.each([
    'red',
    'colour_red',
    'COLOUR_GREEN',
    '',
    3,
    -1,
    1.5,
    'length',
    '__proto__',
    true,
    null,
    [1],
    ['COLOUR_RED'],
  ])('%j is none of it', (given) => {
    expect(read(colour, given)).toEqual(fault('must be one of COLOUR_RED, COLOUR_BLUE'))
  })
})

describe('values', () => {
  const deep = (levels: number): unknown => (levels === 0 ? null : { a: deep(levels - 1) })

  test('any JSON is kept as it is, null and prototype keys too', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        expect(read(anyValue, value)).toBe(value)
      }),
    )
    const odd = JSON.parse('{"__proto__":{"a":1},"constructor":1}')
    expect(JSON.stringify(read(anyValue, odd))).toBe('{"__proto__":{"a":1},"constructor":1}')
  })

  test('nested a hundred deep is the most', () => {
    expect(read(anyValue, deep(100))).toEqual(deep(100))
    expect(read(anyValue, deep(101))).toEqual(fault('100 deep'))
    expect(read(anyValue, deep(9000))).toEqual(fault('100 deep'))
  })

  test('what cannot be written again is refused, wherever it stands', () => {
    for (const bad of ['\ud800', { '\ud800': 1 }, [[{ a: '\udc00' }]]]) {
      expect(read(anyValue, bad)).toEqual(fault('lone surrogate'))
    }
    for (const bad of [JSON.parse('1e999'), [JSON.parse('-1e999')]]) {
      expect(read(anyValue, bad)).toEqual(fault('no double can hold'))
    }
  })

  test('a struct is an object', () => {
    expect(read(struct, { a: null })).toEqual({ a: null })
    for (const other of [[], 'a', 7]) expect(read(struct, other)).toEqual(fault('must be an object'))
  })

  test('a list names its items, and takes no null', () => {
    expect(read(list(int32), [1, '2'])).toEqual([1, 2])
    expect(read(list(int32), [1, null, 'x'])).toEqual({
      faults: [
        { field: 'field[1]', description: 'must not be null' },
        { field: 'field[2]', description: 'must be a whole number' },
      ],
    })
    expect(read(list(int32), { 0: 1 })).toEqual(fault('must be an array'))
  })
})

describe('message', () => {
  const inner = message({ some: int32 }, { required: ['some'] })
  const outer = message(
    {
      plainText: string,
      keptZero: int32,
      oneText: string,
      oneValue: anyValue,
      child: inner,
      many: list(inner),
    },
    { optional: ['keptZero'], oneof: ['oneText', 'oneValue'] },
  )

  test('values that are the default of the proto are absent, but where they say something', () => {
    const given = { plainText: '', keptZero: 0, oneText: '', many: [] }
    expect(read(outer, given)).toEqual({ keptZero: 0, oneText: '' })
  })

  test('fields come by JSON name or proto name, null is absent but as a value, unknown ones are ignored', () => {
    const given = { plain_text: 'a', keptZero: null, one_value: null, other: 1, constructor: 2 }
    expect(read(outer, given)).toEqual({ plainText: 'a', oneValue: null })
    expect(read(outer, { plainText: 'a', plain_text: 'b', oneText: '' })).toEqual({
      plainText: 'a',
      oneText: '',
    })
    expect(read(outer, Object.create({ oneText: 'a', one_text: 'a' }))).toEqual(fault('must have one of'))
  })

  test('every fault is named by its path, a missing field once', () => {
    expect(read(outer, { plainText: 7, oneText: 7, child: {}, many: [{ some: 'x' }, 7] })).toEqual({
      faults: [
        { field: 'field.plainText', description: 'must be a string' },
        { field: 'field.oneText', description: 'must be a string' },
        { field: 'field.child.some', description: 'is required' },
        { field: 'field.many[0].some', description: 'must be a whole number' },
        { field: 'field.many[1]', description: 'must be an object' },
      ],
    })
  })

  test('of a oneof exactly one is there', () => {
    expect(read(outer, {})).toEqual(fault('must have one of oneText, oneValue'))
    expect(read(outer, { oneText: 'a', oneValue: null })).toEqual(fault('only one of oneText, oneValue'))
  })

  test('no more than twenty faults are named', () => {
    const { faults } = read(outer, { oneText: '', many: Array(1000).fill(0) }) as { faults: FieldViolation[] }
    expect(faults.map(({ field }) => field)).toEqual(
      Array.from({ length: 20 }, (_, index) => `field.many[${index}]`),
    )
  })
})
