// Any figure, for property tests: any texts, any number of lifelines, steps, open requests and waits.
import fc from 'fast-check'
import type { Figure, StepKind } from './figure.ts'

const anyText = fc.oneof(
  fc.constantFrom(
    '',
    'client',
    'TASK_STATE_INPUT_REQUIRED',
    'POST /approve/ecf2dcb6',
    '部署を承認する',
    '<&">\u0000\ud800',
  ),
  fc.lorem({ maxCount: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 120 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
)
const kinds: StepKind[] = ['request', 'reply', 'frame', 'outside']

const figureOn = (lifelines: string[]): fc.Arbitrary<Figure> => {
  const step = fc
    .record({
      kind: fc.constantFrom(...kinds),
      ends: fc.shuffledSubarray(lifelines, { minLength: 2, maxLength: 2 }),
      label: anyText,
      detail: fc.array(anyText, { maxLength: 3 }),
    })
    .map(({ ends: [from = '', to = ''], ...step }) => ({ ...step, from, to }))
  const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 999 }), { minLength: 2, maxLength: 12 })
  return numbers.chain((numbers) => {
    const span = fc
      .subarray(numbers, { minLength: 2, maxLength: 2 })
      .map(([from = 0, to = 0]) => ({ from, to }))
    const wait = fc
      .tuple(span, fc.constantFrom(...lifelines), anyText)
      .map(([span, on, text]) => ({ ...span, on, text }))
    return fc.record({
      title: anyText,
      claim: anyText,
      caption: anyText,
      alt: anyText,
      lifelines: fc.constant(lifelines),
      steps: fc
        .array(step, { minLength: numbers.length, maxLength: numbers.length })
        .map((steps) => steps.map((step, at) => ({ n: numbers[at]!, ...step }))),
      open: fc.array(span, { maxLength: 3 }),
      waits: fc.array(wait, { maxLength: 3 }),
    })
  })
}

export const anyFigure: fc.Arbitrary<Figure> = fc
  .uniqueArray(anyText, { minLength: 2, maxLength: 9 })
  .chain(figureOn)
