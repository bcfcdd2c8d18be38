import { expect, it } from 'vitest'
import { kindOf, nameOf, parsePart, parsePoint, parseStory, partOf } from './points.ts'

it('a point is written and read back', () => {
  const point = {
    story: 'asked-branch',
    agent: 'code-reviewer',
    moment: 'request:after:SendMessage#12',
  } as const
  expect(nameOf(point)).toBe('code-reviewer:request:after:SendMessage#12')
  expect(parsePoint(nameOf(point), 'asked-branch')).toEqual(point)
  expect(kindOf(point)).toBe('request:after:SendMessage')
})

it.each(['planner', 'planner:commit:before', 'nobody:commit:before#5', 'planner:#5'])(
  'what is no point is refused: %s',
  (text) => {
    expect(() => parsePoint(text, 'known-branch')).toThrow(
      `"${text}" is no point. Write one as planner:commit:before#5`,
    )
  },
)

it('a story that there is not is refused, with those that there are', () => {
  expect(() => parseStory('short')).toThrow(
    'There is no story short. There are known-branch and asked-branch.',
  )
})

it('the parts are spread evenly, and together are all', () => {
  const all = Array.from({ length: 10 }, (_one, index) => index)
  const parts = ['1/3', '2/3', '3/3'].map((text) => partOf(all, parsePart(text)))
  expect(parts).toEqual([
    [0, 3, 6, 9],
    [1, 4, 7],
    [2, 5, 8],
  ])
})

it.each(['0/3', '4/3', '1', 'all'])('what is no part is refused: %s', (text) => {
  expect(() => parsePart(text)).toThrow('--part is written as 2/12')
})
