// Whether a figure fits together: each name and each number in it must lead somewhere.
import type { Figure } from './figure.ts'

/** @throws Error that says which part of the figure is wrong, and what it may be */
export function checkFigure({ title, lifelines, steps, open = [], waits = [] }: Figure): void {
  const wrong = (what: string) => new Error(`Figure "${title}": ${what}`)
  const checkLifeline = (name: string, where: string) => {
    if (!lifelines.includes(name))
      throw wrong(`${where} names "${name}", and the lifelines are ${lifelines.join(', ')}.`)
  }
  const numbers = steps.map((step) => step.n)
  const checkSpan = (from: number, to: number, where: string) => {
    const missing = [from, to].find((n) => !numbers.includes(n))
    if (missing !== undefined) throw wrong(`${where} names step ${missing}, and there is no such step.`)
    if (numbers.indexOf(from) >= numbers.indexOf(to))
      throw wrong(`${where} goes from step ${from} to ${to}, and must end at a later step.`)
  }

  if (lifelines.length === 0) throw wrong('it has no lifeline.')
  const twice = (values: (string | number)[]) => values.find((value, at) => values.indexOf(value) !== at)
  const name = twice(lifelines)
  if (name !== undefined) throw wrong(`the lifeline "${name}" is given twice.`)
  const number = twice(numbers)
  if (number !== undefined) throw wrong(`step ${number} is given twice.`)

  for (const { n, from, to } of steps) {
    if (!Number.isInteger(n) || n < 1 || n > 999)
      throw wrong(`a step has the number ${n}, and numbers go from 1 to 999.`)
    checkLifeline(from, `step ${n}`)
    checkLifeline(to, `step ${n}`)
    if (from === to) throw wrong(`step ${n} goes from "${from}" to itself, and needs two lifelines.`)
  }
  for (const { from, to } of open) checkSpan(from, to, 'something open')
  for (const { on, from, to, text } of waits) {
    checkLifeline(on, `"${text}"`)
    checkSpan(from, to, `"${text}"`)
  }
}
