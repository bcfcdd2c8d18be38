import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyFigure } from './arbitrary.ts'
import { deploy, planner } from './examples.ts'
import type { Figure } from './figure.ts'
import { type Layout, layOut } from './layout.ts'
import { type Box, boxesOf, type Text } from './text.ts'

interface Part extends Box {
  name: string
}

const partsOf = (name: string, text: Text): Part[] =>
  boxesOf(text)
    .filter(({ width }) => width > 0)
    .map((box) => ({ name, ...box }))

const textsOf = (layout: Layout): Part[] => [
  ...partsOf('title', layout.title),
  ...partsOf('claim', layout.claim),
  ...layout.lifelines.flatMap(({ name, names }) => names.flatMap((text) => partsOf(`name ${name}`, text))),
  ...layout.steps.flatMap(({ step, label, detail }) => [
    ...partsOf(`label ${step.n}`, label),
    ...partsOf(`detail ${step.n}`, detail),
  ]),
  ...layout.waits.flatMap(({ wait, text }) => partsOf(`wait ${wait.from}`, text)),
  ...layout.legend.flatMap(({ kind, text }) => partsOf(`legend ${kind}`, text)),
  ...(layout.caption === undefined ? [] : partsOf('caption', layout.caption)),
]

const numbersOf = (layout: Layout): Part[] =>
  layout.steps.map(({ step, pill }) => ({ name: `number ${step.n}`, ...pill }))

/** An arrow with its tip. */
const arrowsOf = (layout: Layout): Part[] =>
  layout.steps.map(({ step, start, end, y }) => ({
    name: `arrow ${step.n}`,
    x: Math.min(start, end),
    y: y - 4,
    width: Math.abs(end - start),
    height: 8,
  }))

const linesOf = (layout: Layout): Part[] =>
  layout.lifelines.map(({ name, line }) => ({ name: `line ${name}`, ...line }))

const samplesOf = (layout: Layout): Part[] =>
  layout.legend.map(({ kind, sample }) => ({ name: `sample ${kind}`, ...sample }))

// A tenth of a unit is what rounding may move; it cannot be seen.
const slack = 0.1
const overlap = (one: Box, other: Box): boolean =>
  one.x + one.width > other.x + slack &&
  other.x + other.width > one.x + slack &&
  one.y + one.height > other.y + slack &&
  other.y + other.height > one.y + slack

const overlaps = (ones: Part[], others: Part[]): string[] =>
  ones.flatMap((one) =>
    others
      .filter((other) => one !== other && overlap(one, other))
      .map((other) => `${one.name} on ${other.name}`),
  )

const forAnyFigure = (check: (layout: Layout, figure: Figure) => void) => {
  for (const figure of [deploy, planner]) check(layOut(figure), figure)
  fc.assert(fc.property(anyFigure, (figure) => check(layOut(figure), figure)))
}

test('no text lies on another text, a number, an arrow, a lifeline or a sample of the legend', () => {
  forAnyFigure((layout) => {
    const texts = textsOf(layout)
    const others = [numbersOf, arrowsOf, linesOf, samplesOf].flatMap((parts) => parts(layout))
    expect(overlaps(texts, [...texts, ...others])).toEqual([])
  })
})

test('a number lies on no other number, on no arrow but its own, and on no lifeline but the one it starts from', () => {
  forAnyFigure((layout) => {
    const numbers = numbersOf(layout)
    expect(overlaps(numbers, numbers)).toEqual([])
    const own = layout.steps.flatMap(({ step }) => [
      `number ${step.n} on arrow ${step.n}`,
      `number ${step.n} on line ${step.from}`,
    ])
    expect(overlaps(numbers, [...arrowsOf(layout), ...linesOf(layout)])).toEqual(own)
  })
})

test('the numeral fits in its circle', () => {
  forAnyFigure(({ steps }) => {
    for (const { number, pill } of steps)
      expect(boxesOf(number)[0]!.width).toBeLessThanOrEqual(pill.width - 6)
  })
})

test('nothing leaves the figure', () => {
  forAnyFigure((layout) => {
    const bands = layout.waits.map(({ band }) => ({ name: 'band', ...band }))
    const parts = [textsOf, numbersOf, arrowsOf, linesOf, samplesOf].flatMap((parts) => parts(layout))
    for (const { name, x, y, width, height } of [...parts, ...bands]) {
      expect(Math.min(x, y), name).toBeGreaterThanOrEqual(0)
      expect(x + width, name).toBeLessThanOrEqual(layout.width + slack)
      expect(y + height, name).toBeLessThanOrEqual(layout.height + slack)
    }
  })
})

test('the band of a wait holds its own text, and no other text, number or arrow', () => {
  forAnyFigure((layout) => {
    for (const { wait, band, text } of layout.waits) {
      for (const line of boxesOf(text)) {
        expect(line.y).toBeGreaterThanOrEqual(band.y)
        expect(line.y + line.height).toBeLessThanOrEqual(band.y + band.height)
      }
      const others = [textsOf, numbersOf, arrowsOf]
        .flatMap((parts) => parts(layout))
        .filter(({ name }) => !name.startsWith('wait '))
      expect(overlaps([{ name: `band ${wait.from}`, ...band }], others)).toEqual([])
    }
  })
})

test('steps go down in the order in which they are given', () => {
  forAnyFigure(({ steps }, figure) => {
    expect(steps.map(({ step }) => step.n)).toEqual(figure.steps.map(({ n }) => n))
    const heights = steps.map(({ y }) => y)
    expect(heights).toEqual(heights.toSorted((a, b) => a - b))
  })
})

test('what is open lies between its two lifelines, from the step that opens it to the step that closes it', () => {
  const { open, steps, lifelines } = layOut(deploy)
  const middle = (at: number) => lifelines[at]!.line.x + 0.5
  expect(open).toEqual([
    { x: middle(0), width: middle(1) - middle(0), y: steps[0]!.y, height: steps[8]!.y - steps[0]!.y },
  ])
})

test('a wait stands between its step and the next, and its bar on the lifeline that waits until the step that ends it', () => {
  const { waits, steps, lifelines } = layOut(deploy)
  const [{ band, bar }] = waits as [(typeof waits)[number]]
  expect(band.y).toBeGreaterThan(steps[3]!.y)
  expect(band.y + band.height).toBeLessThan(steps[4]!.y)
  expect(bar.x + bar.width / 2).toBe(lifelines[1]!.line.x + 0.5)
  expect([bar.y, bar.y + bar.height]).toEqual([steps[3]!.y, steps[4]!.y])
  expect(steps[4]!.end).toBe(bar.x + bar.width)
})

test('only a tall figure has the names a second time, at the bottom', () => {
  expect(layOut(deploy).lifelines.map(({ names }) => names.length)).toEqual([1, 1, 1])
  expect(layOut(planner).lifelines.map(({ names }) => names.length)).toEqual([2, 2, 2, 2, 2])
})

test('the legend tells the kinds that occur, and is left out for requests and replies alone', () => {
  expect(layOut(deploy).legend.map(({ kind }) => kind)).toEqual(['request', 'frame', 'open', 'outside'])
  const steps = planner.steps.filter(({ kind }) => kind === 'request' || kind === 'reply')
  expect(layOut({ ...planner, steps, open: [], waits: [] }).legend).toEqual([])
})
