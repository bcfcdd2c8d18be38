import { expect, test } from 'vitest'
import { checkFigure } from './check.ts'
import { deploy } from './examples.ts'

const [first, ...others] = deploy.steps as [(typeof deploy.steps)[number]]

test('a figure that fits together passes', () => {
  expect(() => checkFigure(deploy)).not.toThrow()
})

test.each([
  [
    'a step to an unknown lifeline',
    { steps: [{ ...first, to: 'nobody' }] },
    'step 1 names "nobody", and the lifelines are client, deployer, operator.',
  ],
  [
    'a step to itself',
    { steps: [{ ...first, to: 'client' }] },
    'step 1 goes from "client" to itself, and needs two lifelines.',
  ],
  ['a number that is given twice', { steps: [first, first] }, 'step 1 is given twice.'],
  [
    'a number that fits in no circle',
    { steps: [{ ...first, n: 1000 }] },
    'a step has the number 1000, and numbers go from 1 to 999.',
  ],
  ['no lifeline', { lifelines: [] }, 'it has no lifeline.'],
  [
    'a lifeline that is given twice',
    { lifelines: ['client', 'client'] },
    'the lifeline "client" is given twice.',
  ],
  [
    'something open until a step that is missing',
    { open: [{ from: 1, to: 10 }] },
    'something open names step 10, and there is no such step.',
  ],
  [
    'a wait that ends before it begins',
    { waits: [{ on: 'deployer', from: 5, to: 4, text: 'waits' }] },
    '"waits" goes from step 5 to 4, and must end at a later step.',
  ],
  [
    'a wait on an unknown lifeline',
    { waits: [{ on: 'nobody', from: 4, to: 5, text: 'waits' }] },
    '"waits" names "nobody", and the lifelines are client, deployer, operator.',
  ],
])('%s is refused, and the error says where it is', (_, change, message) => {
  const figure = { ...deploy, steps: [first, ...others], ...change }
  expect(() => checkFigure(figure)).toThrow(`Figure "A deploy waits for an operator": ${message}`)
})
