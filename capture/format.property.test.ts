// A capture that somebody spoiled: it still is one, or the file and the line that are wrong are named.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FormatError, parse, write } from './format.ts'
import { captureNames, readOut } from './library.ts'

const someNames = ['06-input-required', '07-auth-required', '11-resubscribe', '13-push-notifications']

test('whatever line of a capture is gone, doubled or another, it is read, or the line at fault is named', () => {
  expect(captureNames()).toEqual(expect.arrayContaining(someNames))
  const line = fc.oneof(
    fc.constantFrom(
      '',
      '###',
      '#',
      '# ',
      '# >>> ',
      '### 01 x',
      '# @name ex01',
      '# <<< 01 200 +1ms',
      '@base = x',
      '{',
    ),
    fc.constantFrom(
      '# <<< 02 200 +0ms events=none frames=1',
      'GET {{base}}/ HTTP/1.1',
      '# a → b',
      'A: b',
      '# HTTP/1.1 200',
    ),
    fc.string({ unit: 'binary' }),
  )
  const spoiling = fc.record({ at: fc.nat(), gone: fc.nat(2), added: fc.array(line, { maxLength: 2 }) })
  fc.assert(
    fc.property(
      fc.constantFrom(...someNames),
      fc.array(spoiling, { minLength: 1, maxLength: 2 }),
      (name, all) => {
        const read = (file: string) => {
          const text = readOut(file)
          if (!file.endsWith('.http')) return text
          const lines = text.split('\n')
          for (const { at, gone, added } of all) lines.splice(at % lines.length, gone, ...added)
          return lines.join('\n')
        }
        try {
          const capture = parse(name, read)
          for (const [n, place] of capture.places)
            expect(place.answer, `exchange ${n}`).toBeGreaterThan(place.title)
          // What was read can be written, and is the same when it is read again.
          const files = write(capture)
          expect(parse(name, (file) => files.get(file) ?? readOut(file)).exchanges.length).toBe(
            capture.exchanges.length,
          )
        } catch (error) {
          if (!(error instanceof FormatError)) throw error
          expect(error.message).toMatch(new RegExp(`^${name}[\\w.]*:\\d+: `))
        }
      },
    ),
  )
})
