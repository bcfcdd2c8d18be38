// A laid out figure as SVG that a person can read: one group for each part, one element a line.
import type { Figure, StepKind } from './figure.ts'
import type { Layout } from './layout.ts'
import type { LegendItem } from './legend.ts'
import { container, element, rectangle, round, text } from './markup.ts'
import { styleSheet } from './palette.ts'
import type { StepRow } from './rows.ts'

/** A line that ends in a full tip where something is asked, and in an open one where it is answered. */
function arrow(kind: StepKind, start: number, end: number, y: number): string[] {
  const towardsStart = Math.sign(start - end)
  const tip = end + towardsStart
  const wing = end + towardsStart * 8
  const corners = `${round(wing)} ${round(y - 4)} L${round(tip)} ${round(y)} L${round(wing)} ${round(y + 4)}`
  const line = (to: number) => `M${round(start)} ${round(y)} H${round(to)}`
  return kind === 'request' || kind === 'outside'
    ? [
        element('path', { class: 'arrow', d: line(wing) }),
        element('path', { class: 'tip', d: `M${corners} Z` }),
      ]
    : [element('path', { class: 'arrow', d: `${line(tip)} M${corners}` })]
}

const step = (row: StepRow): string[] =>
  container('g', { id: `step-${row.step.n}`, class: row.step.kind }, [
    ...arrow(row.step.kind, row.start, row.end, row.y),
    rectangle('pill', row.pill, row.pill.height / 2),
    ...text(row.number),
    ...text(row.label),
    ...text(row.detail),
  ])

function legendItem({ kind, sample, text: meaning }: LegendItem): string[] {
  if (kind === 'open') return [rectangle('open', sample), ...text(meaning)]
  const x = sample.x + 5
  const y = sample.y + sample.height / 2
  return container('g', { class: kind }, [
    ...arrow(kind, x, sample.x + sample.width, y),
    element('circle', { class: 'pill', cx: x, cy: y, r: 4.5 }),
    ...text(meaning),
  ])
}

/** A group with an id, or nothing where it would be empty. */
const part = (id: string, lines: string[]): string[] =>
  lines.length === 0 ? [] : container('g', { id }, lines)

/** @returns a whole document; of parts that lie on each other, the lower one comes first */
export function toSvg(figure: Figure, layout: Layout): string {
  const { width, height } = layout
  const attributes = {
    xmlns: 'http://www.w3.org/2000/svg',
    class: 'sequence-figure',
    role: 'img',
    'aria-labelledby': 'figure-title figure-alt',
    width,
    height,
    viewBox: `0 0 ${round(width)} ${round(height)}`,
  }
  const lines = container('svg', attributes, [
    element('title', { id: 'figure-title' }, figure.title),
    element('desc', { id: 'figure-alt' }, figure.alt),
    ...container('style', {}, styleSheet),
    rectangle('ground', { x: 0, y: 0, width, height }, 6),
    ...text(layout.title),
    ...text(layout.claim),
    ...part(
      'rules',
      layout.rules.map((box) => rectangle('rule', box)),
    ),
    ...part(
      'waits',
      layout.waits.flatMap((row) => [rectangle('band', row.band, 4), ...text(row.text)]),
    ),
    ...part(
      'open',
      layout.open.map((box) => rectangle('open', box)),
    ),
    ...part('lifelines', [
      ...layout.lifelines.flatMap(({ names, line }) => [rectangle('lifeline', line), ...names.flatMap(text)]),
      ...layout.waits.map(({ bar }) => rectangle('bar', bar)),
    ]),
    ...layout.steps.flatMap(step),
    ...part('legend', layout.legend.flatMap(legendItem)),
    ...(layout.caption === undefined ? [] : text(layout.caption)),
  ])
  return `${lines.join('\n')}\n`
}
