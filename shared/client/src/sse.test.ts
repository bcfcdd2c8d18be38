import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type SseEvent, sseEvents } from './sse.ts'
import { drain } from './testing/fixtures.ts'

async function* chunksOf(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const read = async (text: string, size = Number.POSITIVE_INFINITY): Promise<SseEvent[]> =>
  (await drain(sseEvents(chunksOf(new TextEncoder().encode(text), size)))).got

describe.each([
  ['LF', '\n'],
  ['CR', '\r'],
  ['CR LF', '\r\n'],
])('SSE-LINE-ENDINGS: lines that end in %s', (_, end) => {
  const lines = (...all: string[]) => all.map((line) => line + end).join('')

  test.each([
    ['whole', Number.POSITIVE_INFINITY],
    ['byte by byte', 1],
  ])('give one event each, %s', async (_, size) => {
    const text = lines('id: 1', 'data: {"a":1}', '', ': comment', 'event: x', 'retry: 5', 'data:{"b":2}', '')
    expect(await read(text, size)).toEqual([{ id: '1', data: '{"a":1}' }, { data: '{"b":2}' }])
  })

  test('give the event before another byte has come', async () => {
    const endless = async function* () {
      yield new TextEncoder().encode(lines('data: now', ''))
      await new Promise(() => {})
    }
    const first = await sseEvents(endless()).next()
    expect(first.value).toEqual({ data: 'now' })
  })

  test('join several data lines with a line feed', async () => {
    expect(await read(lines('data: a', 'data: b', ''))).toEqual([{ data: 'a\nb' }])
  })
})

test('SSE-LINE-ENDINGS: however the bytes are cut, the events are the same', async () => {
  const end = fc.constantFrom('\n', '\r', '\r\n')
  const event = fc.record({ id: fc.option(fc.nat()), data: fc.string({ unit: 'grapheme' }), end })
  await fc.assert(
    fc.asyncProperty(fc.array(event), fc.integer({ min: 1, max: 7 }), async (events, size) => {
      const expected = events.map(({ id, data }) => ({
        ...(id !== null && { id: String(id) }),
        data: JSON.stringify(data),
      }))
      const text = events.map(({ id, data, end: nl }) => {
        const head = id === null ? ':' : `id: ${id}`
        return `${head}${nl}data: ${JSON.stringify(data)}${nl}${nl}`
      })
      expect(await read(text.join(''), size)).toEqual(expected)
    }),
  )
})

test('SSE-LINE-ENDINGS: a byte order mark is passed over, also byte by byte', async () => {
  expect(await read('\uFEFFdata: x\n\n')).toEqual([{ data: 'x' }])
  expect(await read('\uFEFFdata: x\n\n', 1)).toEqual([{ data: 'x' }])
})

test('SSE-UNICODE-SEPARATORS: U+2028, U+2029 and U+0085 are data', async () => {
  expect(await read('data: a\u2028b\u2029c\u0085d\n\n', 1)).toEqual([{ data: 'a\u2028b\u2029c\u0085d' }])
})

test('CLIENT-CUT-VS-END: half a frame at the end is dropped', async () => {
  expect(await read('data: 1\n\ndata: 2\n')).toEqual([{ data: '1' }])
  expect(await read('data: 1\n\ndata: {"ha')).toEqual([{ data: '1' }])
})

test('comments, and ids without data, are no events', async () => {
  expect(await read(':\n:\n\nid: 7\n\n: x\n\ndata: 1\n\n')).toEqual([{ data: '1' }])
})
