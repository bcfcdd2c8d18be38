// The rows of a figure: one for each step, and one for each wait that begins after it.
import type { Figure, Step, Wait } from './figure.ts'
import type { Grid, Pen } from './grid.ts'
import { type Box, measure, type Text } from './text.ts'

/** The arrow goes from `start` to `end` at the height `y`; the number stands on its start. */
export interface StepRow {
  step: Step
  y: number
  start: number
  end: number
  pill: Box
  number: Text
  label: Text
  detail: Text
}

export interface WaitRow {
  wait: Wait
  band: Box
  text: Text
}

const pillHeight = 19
const padding = 6

function setStep(step: Step, grid: Grid, pen: Pen): StepRow {
  pen.skip(padding)
  const top = pen.y
  const label = pen.set('label', [step.label], grid.text, grid.room)
  const detail = pen.set('detail', step.detail ?? [], grid.text, grid.room)
  pen.skip(padding)
  const start = grid.xOf(step.from)
  const numeral = String(step.n)
  const width = Math.max(pillHeight, measure(numeral, 'number') + 6)
  return {
    step,
    y: top + pillHeight / 2,
    start,
    end: grid.xOf(step.to),
    pill: { x: start - width / 2, y: top, width, height: pillHeight },
    number: { style: 'number', lines: [numeral], x: start, top, anchor: 'middle' },
    label,
    detail,
  }
}

function setWait(wait: Wait, grid: Grid, pen: Pen): WaitRow {
  pen.skip(2)
  const y = pen.y
  pen.skip(8)
  const text = pen.set('wait', [`${wait.on} ${wait.text}`], grid.text, grid.room)
  pen.skip(8)
  const band = { x: grid.margin / 2, y, width: grid.width - grid.margin, height: pen.y - y }
  pen.skip(2)
  return { wait, band, text }
}

export interface Rows {
  steps: StepRow[]
  waits: WaitRow[]
  /** The heights at which one step ends and the next begins. */
  rules: number[]
}

/** Sets all rows below each other, from where the pen is. */
export function setRows({ steps, waits = [] }: Figure, grid: Grid, pen: Pen): Rows {
  const rows: Rows = { steps: [], waits: [], rules: [] }
  let ruled = false
  for (const step of steps) {
    if (ruled) rows.rules.push(pen.y)
    rows.steps.push(setStep(step, grid, pen))
    const begun = waits.filter(({ from }) => from === step.n).map((wait) => setWait(wait, grid, pen))
    rows.waits.push(...begun)
    ruled = begun.length === 0
  }
  return rows
}
