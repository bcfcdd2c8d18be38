import { describe, expect, test } from 'vitest'
import { timeline } from '../../capture/timeline.ts'
import { root } from '../kit.ts'
import { drawFigure } from './figure/figure.ts'
import { draw, figures } from './figures.ts'
import { shortened } from './labels.ts'
import { captureNamed, readCaptures } from './library.ts'
import { courseOf } from './steps.ts'

const captures = readCaptures(root)
const courseNamed = (word: string) => courseOf(captureNamed(captures, word))
const arrows = (word: string) =>
  courseNamed(word).steps.map(({ n, kind, from, to }) => `${n} ${kind} ${from} → ${to}`)

describe('the steps of a figure', () => {
  test('of 07 are nine: the request, three frames, the approval and its answer, three frames', () => {
    const [request, frame] = ['client → deployer', 'deployer → client']
    expect(arrows('07')).toEqual([
      `1 request ${request}`,
      ...[2, 3, 4].map((n) => `${n} frame ${frame}`),
      '5 outside operator → deployer',
      '6 outside deployer → operator',
      ...[7, 8, 9].map((n) => `${n} frame ${frame}`),
    ])
    const { open, waits } = courseNamed('07')
    expect(open).toEqual([{ from: 1, to: 9 }])
    expect(waits).toEqual([{ on: 'deployer', from: 4, to: 5, text: 'waits for an operator' }])
  })

  test('of 06 are two requests, each with its reply, and say operation, task, state and what was said', () => {
    const { steps, waits } = courseNamed('06')
    expect(arrows('06')).toEqual([
      '1 request planner → code-reviewer',
      '2 reply code-reviewer → planner',
      '3 request planner → code-reviewer',
      '4 reply code-reviewer → planner',
    ])
    expect(steps.map(({ label }) => label)).toEqual([
      'SendMessage: Please review this diff of payments-api: …',
      'task e5c95b09, context 49c5a238',
      'SendMessage: main',
      'task e5c95b09, context 49c5a238',
    ])
    const [, question, answer, end] = steps.map(({ detail }) => detail)
    expect(question).toEqual([
      'TASK_STATE_INPUT_REQUIRED',
      'Which base branch should I compare this diff against?',
    ])
    expect(answer).toEqual(['task e5c95b09, context 49c5a238'])
    expect(end).toEqual(expect.arrayContaining(['TASK_STATE_COMPLETED', 'review.json']))
    expect(waits).toEqual([{ on: 'code-reviewer', from: 2, to: 3, text: 'waits for an answer' }])
  })

  test.each(figures.map(({ name }) => name))(
    'of %s each have the number of their exchange in the order',
    (name) => {
      const words = figures.find((figure) => figure.name === name)!
      const whole = captureNamed(captures, name)
      const capture = { ...whole, exchanges: whole.exchanges.slice(0, words.upTo) }
      const { steps } = courseOf(capture)
      const moments = timeline(capture.exchanges)
      expect(steps.map(({ n }) => n)).toEqual(moments.map((_, at) => at + 1))
      for (const [at, { kind, exchange }] of moments.entries()) {
        const { from, to } = steps[at]!
        expect([from, to]).toEqual(
          kind === 'request' ? [exchange.from, exchange.to] : [exchange.to, exchange.from],
        )
        if (kind === 'request') expect(steps[at]!.label).toContain(exchange.title)
      }
      const svg = draw(captures, words)
      expect([...svg.matchAll(/id="step-(\d+)"/g)].map(([, n]) => Number(n))).toEqual(steps.map(({ n }) => n))
    },
  )

  test('say what they say shortly: ids by 8 characters, texts by their first line', () => {
    expect(shortened('task e5c95b09-6d4b-4b3b-8693-91e81472d12f')).toBe('task e5c95b09')
    expect(shortened('one\ntwo')).toBe('one …')
    expect(shortened('word '.repeat(30))).toBe(`${'word '.repeat(18)}…`)
  })

  test('of every capture make a figure', () => {
    for (const capture of captures) {
      const { name: title } = capture
      expect(() => drawFigure({ title, claim: title, alt: title, ...courseOf(capture) })).not.toThrow()
    }
  })
})
