// What the kinds of arrows mean, for a figure that has more than requests and replies.
import type { Figure, StepKind } from './figure.ts'
import type { Grid, Pen } from './grid.ts'
import { type Box, measure, type Text } from './text.ts'

export interface LegendItem {
  kind: StepKind | 'open'
  /** Where the sample is drawn. */
  sample: Box
  text: Text
}

const meanings: { [kind in LegendItem['kind']]: string } = {
  request: 'A2A request',
  reply: 'reply',
  frame: 'frame of a stream',
  open: 'request stays open',
  outside: 'plain HTTP',
}

const sampleWidth = 30
const gap = 7
const rowHeight = 16

/** Sets the kinds that occur, in columns; none where the arrows speak for themselves. */
export function setLegend({ steps, open = [] }: Figure, grid: Grid, pen: Pen): LegendItem[] {
  const occurring = new Set<LegendItem['kind']>(steps.map((step) => step.kind))
  if (open.length > 0) occurring.add('open')
  const kinds = (Object.keys(meanings) as LegendItem['kind'][]).filter((kind) => occurring.has(kind))
  if (kinds.every((kind) => kind === 'request' || kind === 'reply')) return []

  const widest = Math.max(...kinds.map((kind) => measure(meanings[kind], 'legend')))
  const room = grid.width - 2 * grid.margin
  const columns = Math.floor(room / (sampleWidth + gap + widest + 2 * gap))
  const items = kinds.map((kind, at): LegendItem => {
    const x = grid.margin + (at % columns) * (room / columns)
    const y = pen.y + Math.floor(at / columns) * (rowHeight + 4)
    return {
      kind,
      sample: { x, y, width: sampleWidth, height: rowHeight },
      text: { style: 'legend', lines: [meanings[kind]], x: x + sampleWidth + gap, top: y, anchor: 'start' },
    }
  })
  pen.skip(Math.ceil(kinds.length / columns) * (rowHeight + 4) - 4)
  return items
}
