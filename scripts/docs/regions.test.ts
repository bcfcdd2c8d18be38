import { describe, expect, test } from 'vitest'
import { MarkerError } from './problem.ts'
import { fill } from './regions.ts'

const made = (kind: string, words: string) => [`${kind}: ${words}`]
const page = (...lines: string[]) => lines.join('\n')

describe('the regions of a page', () => {
  test('are filled by kind and words, and what stood in them is gone', () => {
    const before = page('# Title', '<!-- table states -->', 'old', '<!-- /table -->', 'after')
    const after = page(
      '# Title',
      '<!-- table states -->',
      '',
      'table: states',
      '',
      '<!-- /table -->',
      'after',
    )
    expect(fill(before, made)).toEqual({ text: after, problems: [] })
    expect(fill(after, made)).toEqual({ text: after, problems: [] })
  })

  test('are none in a fenced block, and other comments are left alone', () => {
    const text = page(
      '```html',
      '<!-- snippet 06 ex01 answer -->',
      '```',
      '<!-- a note -->',
      '~~~~',
      '~~~',
      '<!-- /table -->',
      '~~~~',
    )
    expect(fill(text, made)).toEqual({ text, problems: [] })
  })

  test('may hold fences: what stands in them does not end a region', () => {
    const before = page('<!-- snippet x -->', '```json', '"text": "<!-- /snippet -->"', '<!-- /snippet -->')
    const filled = () => ['````', '```', 'text', '````']
    const after = fill(before, filled)
    expect(after.problems).toEqual([])
    expect(fill(after.text, filled)).toEqual(after)
  })

  test.each([
    [
      'that is not closed',
      ['text', '<!-- table states -->', 'more'],
      2,
      'This region is not closed by <!-- /table -->.',
    ],
    [
      'in a region',
      ['<!-- table states -->', '<!-- table streams -->', '<!-- /table -->', '<!-- /table -->'],
      1,
      'regions do not nest',
    ],
    [
      'closed by a marker of another kind',
      ['<!-- table states -->', '<!-- /figure -->'],
      1,
      'not closed by <!-- /table -->',
    ],
    ['that is only closed', ['', '', '<!-- /table -->'], 3, 'closes a region that is not open'],
    ['whose marker has company', ['<!-- table states --> text', '<!-- /table -->'], 1, 'is no marker'],
  ])('one %s is a problem with its line, and is left as it is', (_, lines, line, what) => {
    const text = page(...lines)
    const { problems } = fill(text, made)
    expect(problems[0]).toEqual({ line, what: expect.stringContaining(what) })
  })

  test('one that asks for what is not there is left as it is, and the others are filled', () => {
    const text = page('<!-- table a -->', 'a', '<!-- /table -->', '<!-- table b -->', '<!-- /table -->')
    const { text: after, problems } = fill(text, (_, words) => {
      if (words === 'a') throw new MarkerError('There is no table a.')
      return [words]
    })
    expect(problems).toEqual([{ line: 1, what: 'There is no table a.' }])
    expect(after).toBe(
      page('<!-- table a -->', 'a', '<!-- /table -->', '<!-- table b -->', '', 'b', '', '<!-- /table -->'),
    )
  })
})
