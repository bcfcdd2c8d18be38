// Figures as tables that a person can read.
import type { Spread } from './rounds.ts'
import { nameOf, type Target } from './targets.ts'

export interface PartResult {
  tables: Table[]
  targets: Target[]
}

export interface Table {
  title: string
  /** The head of the table's columns, after the name. */
  columns: string[]
  /** A figure that was taken once is a number; null is one that there is not. */
  rows: { name: string; values: (Spread | number | null)[] }[]
  /** What the figures say, in a sentence. */
  verdict?: string | undefined
}

/** The table as text: the median of each value, and in brackets the lowest and the highest. */
export function show({ title, columns, rows, verdict }: Table): string {
  const lines = aligned([['', ...columns], ...rows.map(rowCells)])
  return ['', title, ...lines, ...(verdict ? [verdict] : [])].join('\n')
}

export const rowCells = ({ name, values }: Table['rows'][number]): string[] => [name, ...values.map(cell)]

/** What was asked of the parts beside what they reached. */
export function showTargets(targets: Target[]): string {
  return ['', ...aligned([targetHead, ...targets.map(targetRow)])].join('\n')
}

export const targetHead = ['target', 'asked', 'reached', '']

export function targetRow(target: Target): string[] {
  const { bound, asked, aim, reached, unit, ok } = target
  const wanted = `${bound} ${figure(asked)} ${unit}${aim === undefined ? '' : `, aim ${figure(aim)}`}`
  return [nameOf(target), wanted, cell(reached), ok ? 'reached' : 'missed']
}

/** The first column begins at the left, the others end at the right. */
function aligned(table: string[][]): string[] {
  const widths = table[0]!.map((_, column) => Math.max(...table.map((line) => line[column]?.length ?? 0)))
  const padded = table.map((line) =>
    line.map((text, column) => (column === 0 ? text.padEnd(widths[0]!) : text.padStart(widths[column]!))),
  )
  return padded.map((line) => `  ${line.join('   ')}`.trimEnd())
}

/** The median, and where there is more than one value the lowest and the highest. */
export function cell(value: Spread | number | null): string {
  if (value === null) return '-'
  if (typeof value === 'number') return figure(value)
  const { median, low, high } = value
  return low === high ? figure(median) : `${figure(median)} (${figure(low)} - ${figure(high)})`
}

/** Three digits that matter, whole above 100. */
export const figure = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(3)))
