import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FormatError, parse, write } from './format.ts'
import { captureNames, outFolder } from './library.ts'
import type { Capture } from './model.ts'

const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)))
const word = fc.stringMatching(/^[a-z][a-z.,]{0,9}$/)
const prose = fc
  .array(
    fc.array(word, { minLength: 1, maxLength: 40 }).map((words) => words.join(' ')),
    { minLength: 1, maxLength: 3 },
  )
  .map((paragraphs) => paragraphs.join('\n\n'))

const captures = fc
  .record({ body: json, frames: fc.array(json), tell: prose, notice: prose, about: prose, ms: fc.nat(9999) })
  .map(({ body, frames, tell, notice, about, ms }): Capture => {
    const request = {
      method: 'POST',
      url: '{{base}}/a2a',
      headers: [['Content-Type', 'application/json']] as [string, string][],
      body: { body },
    }
    const head = { status: 200, reason: 'OK', headers: [['content-type', 'x']] as [string, string][], ms }
    const common = { title: 'SendMessage', from: 'client', to: 'deployer', tell, request, notice }
    return {
      name: '99-made-up',
      title: 'Made up',
      about,
      variables: { base: 'http://localhost:41243' },
      secrets: ['token'],
      exchanges: [
        {
          ...common,
          n: 1,
          after: [],
          answer: { ...head, frames: frames.map((data, at) => ({ atMs: at, id: `${at}`, data })), cut: true },
        },
        {
          ...common,
          n: 2,
          after: [{ exchange: 1, frames: 0 }],
          answer: { ...head, body: { body }, endedAfter: 3 },
        },
        { ...common, n: 3, after: [], restarted: 'deployer', answer: { ...head } },
      ],
    }
  })

/** Without what only the files say. */
const bare = ({ places: _, ...capture }: ReturnType<typeof parse>) => {
  for (const { answer } of capture.exchanges) delete answer.events
  return capture
}

describe('the grammar of captures', () => {
  test('what is written is parsed as it was, whatever it holds', () => {
    fc.assert(
      fc.property(captures, (capture) => {
        const files = write(capture)
        expect(bare(parse(capture.name, (file) => files.get(file)!))).toEqual(capture)
      }),
    )
  })

  test.each(captureNames())('%s is written again as it stands', (name) => {
    const read = (file: string) => readFileSync(join(outFolder, file), 'utf8')
    for (const [file, text] of write(parse(name, read))) expect(text).toBe(read(file))
  })

  test.each([
    [
      'a line that is none of its',
      (text: string) => text.replace('# @name ex01', '# @nam ex01'),
      '"# @name ex01" was expected',
    ],
    [
      'a missing exchange',
      (text: string) => text.replace('### 01 ', '### 02 '),
      'Exchange 01 was expected, and there is 02',
    ],
    [
      'broken JSON',
      (text: string) => text.replace('"jsonrpc": "2.0",', '"jsonrpc": 2.0.0,'),
      'This is no JSON',
    ],
    ['a deleted frame', (text: string) => text.replace('frames=6', 'frames=7'), '7 frames are counted here'],
  ])('%s is refused with file and line', (_, spoil, what) => {
    const read = (file: string) => {
      const text = readFileSync(join(outFolder, file), 'utf8')
      return file.endsWith('.http') ? spoil(text) : text
    }
    expect(() => parse('07-auth-required', read)).toThrow(FormatError)
    expect(() => parse('07-auth-required', read)).toThrow(what)
    expect(() => parse('07-auth-required', read)).toThrow(/^07-auth-required\.http:\d+: /)
  })

  const events = '07-auth-required.events.json'
  test.each([
    ['is missing', undefined, `${events}:1: This file is missing.`],
    ['is cut', '{\n  "exchange": 1,\n  "frames": [', `${events}:3: This is no JSON.`],
    ['is empty', '', `${events}:1: This is no JSON.`],
    ['is no JSON', '{\n  "exchange": 1,\n  "frames": [}\n', `${events}:3: This is no JSON.`],
    ['is other JSON', '{ "exchange": 1, "frames": [1] }', `${events}:1: This is not { "exchange"`],
    ['is of another exchange', '{ "exchange": 2, "frames": [] }', `${events}:2: These are the frames of`],
    ['has lines that end with CR LF', '{\n  "exchange": 1,\r\n', `${events}:2: Lines must end with LF`],
  ])('a file of frames that %s is refused with file and line', (_, text, what) => {
    const read = (file: string) => {
      if (file !== events) return readFileSync(join(outFolder, file), 'utf8')
      return text ?? readFileSync(join(outFolder, 'none'), 'utf8')
    }
    expect(() => parse('07-auth-required', read)).toThrow(FormatError)
    expect(() => parse('07-auth-required', read)).toThrow(what)
  })
})
