import { expect, test } from 'vitest'
import { readTraceparent, writeTraceparent } from './trace-context.ts'

const [traceId, spanId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']

test('a header is read and written as W3C Trace Context has it', () => {
  const header = `00-${traceId}-${spanId}-01`
  const context = readTraceparent(header)!
  expect(context).toEqual({ traceId, spanId, sampled: true })
  expect(writeTraceparent(context)).toBe(header)
  expect(writeTraceparent(readTraceparent(`00-${traceId}-${spanId}-00`)!)).toBe(`00-${traceId}-${spanId}-00`)
})

test('flags that are not known are dropped, and a later version is read as far as it is known', () => {
  expect(writeTraceparent(readTraceparent(`00-${traceId}-${spanId}-ff`)!)).toBe(`00-${traceId}-${spanId}-01`)
  expect(readTraceparent(`cc-${traceId}-${spanId}-01-what-the-future-brings`)).toMatchObject({
    traceId,
    spanId,
  })
  expect(readTraceparent(`cc-${traceId}-${spanId}-01`)).toMatchObject({ traceId, spanId })
})

test.each([
  ['nothing', undefined],
  ['an empty header', ''],
  ['an invalid version', `ff-${traceId}-${spanId}-01`],
  ['more than version 00 has', `00-${traceId}-${spanId}-01-more`],
  ['a later version without a dash', `cc-${traceId}-${spanId}-01more`],
  ['upper case', `00-${traceId.toUpperCase()}-${spanId}-01`],
  ['a trace of zeros', `00-${'0'.repeat(32)}-${spanId}-01`],
  ['a span of zeros', `00-${traceId}-${'0'.repeat(16)}-01`],
  ['an id that is too short', `00-${traceId.slice(1)}-${spanId}-01`],
  ['two headers', `00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`],
  ['line breaks', `00-${traceId}-${spanId}-01\r\nX-Evil: 1`],
  ['a very long one', `cc-${traceId}-${spanId}-01-${'x'.repeat(10_000)}`],
])('%s counts as no trace', (_, header) => {
  expect(readTraceparent(header)).toBeUndefined()
})
