// Where everything in a figure stands.
import type { Figure } from './figure.ts'
import { type Grid, gridFor, Pen } from './grid.ts'
import { type LegendItem, setLegend } from './legend.ts'
import { type StepRow, setRows, type WaitRow } from './rows.ts'
import { type Box, heightOf, type Text } from './text.ts'

export interface Layout {
  width: number
  height: number
  title: Text
  claim: Text
  /** A tall figure has the names a second time, where the lines end. */
  lifelines: { name: string; line: Box; names: Text[] }[]
  /** Between the rows of two steps. */
  rules: Box[]
  steps: StepRow[]
  waits: (WaitRow & { bar: Box })[]
  open: Box[]
  legend: LegendItem[]
  caption: Text | undefined
}

const tall = 600
const barWidth = 6

/** Sets the names of the lifelines side by side, each with its end or its beginning at its line. */
function setNames(lifelines: string[], grid: Grid, pen: Pen, at: 'top' | 'bottom'): Text[] {
  const names = lifelines.map((name) =>
    new Pen(pen.y).set('head', [name], grid.xOf(name), grid.pitch - 2, 'middle'),
  )
  const height = Math.max(...names.map(heightOf))
  if (at === 'top') for (const name of names) name.top += height - heightOf(name)
  pen.skip(height)
  return names
}

/**
 * Sets a figure that `checkFigure` passed.
 *
 * @returns the places of its parts, in units from the upper left
 */
export function layOut(figure: Figure): Layout {
  const grid = gridFor(figure.lifelines)
  const pen = new Pen(grid.margin)
  const fullRoom = grid.width - 2 * grid.margin

  const title = pen.set('title', [figure.title], grid.margin, fullRoom)
  pen.skip(2)
  const claim = pen.set('claim', [figure.claim], grid.margin, fullRoom)
  pen.skip(18)

  const heads = setNames(figure.lifelines, grid, pen, 'top')
  pen.skip(4)
  const top = pen.y
  pen.skip(6)
  const rows = setRows(figure, grid, pen)
  pen.skip(6)
  const height = pen.y - top
  pen.skip(4)
  const feet = height > tall ? setNames(figure.lifelines, grid, pen, 'bottom') : []

  pen.skip(12)
  const legend = setLegend(figure, grid, pen)
  if (legend.length > 0) pen.skip(10)
  const caption =
    figure.caption === undefined ? undefined : pen.set('caption', [figure.caption], grid.margin, fullRoom)
  pen.skip(caption === undefined ? 6 : grid.margin)

  const rowOf = (n: number) => rows.steps.find(({ step }) => step.n === n)!
  const between = (from: number, to: number, x: number, width: number): Box => {
    const y = rowOf(from).y
    return { x, y, width, height: rowOf(to).y - y }
  }
  const waits = rows.waits.map((row) => ({
    ...row,
    bar: between(row.wait.from, row.wait.to, grid.xOf(row.wait.on) - barWidth / 2, barWidth),
  }))
  /** An arrow to a lifeline that waits ends at the edge of the bar. */
  const endOf = ({ step, start, end, y }: StepRow): number => {
    const meetsBar = waits.some(
      ({ wait, bar }) => wait.on === step.to && y >= bar.y && y <= bar.y + bar.height,
    )
    return meetsBar ? end + (Math.sign(start - end) * barWidth) / 2 : end
  }
  return {
    width: grid.width,
    height: pen.y,
    title,
    claim,
    lifelines: figure.lifelines.map((name, at) => ({
      name,
      line: { x: grid.xOf(name) - 0.5, y: top, width: 1, height },
      names: [heads, feet].flatMap((names) => names[at] ?? []),
    })),
    rules: rows.rules.map((y) => ({ x: grid.margin, y: y - 0.5, width: fullRoom, height: 1 })),
    steps: rows.steps.map((row) => ({ ...row, end: endOf(row) })),
    waits,
    open: (figure.open ?? []).map(({ from, to }) => {
      const { start, end } = rowOf(from)
      return between(from, to, Math.min(start, end), Math.abs(end - start))
    }),
    legend,
    caption,
  }
}
