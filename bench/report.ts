// Figures as a table that a person can read.
import type { Spread } from './rounds.ts'

export interface PartResult {
  title: string
  /** The head of the table's columns, after the name. */
  columns: string[]
  rows: { name: string; values: Spread[] }[]
  /** What the figures say, in a sentence. */
  verdict: string
}

/** The result as text: the median of each value, and in brackets the lowest and the highest. */
export function show({ title, columns, rows, verdict }: PartResult): string {
  const table = [['', ...columns], ...rows.map(({ name, values }) => [name, ...values.map(cell)])]
  const widths = table[0]!.map((_, column) => Math.max(...table.map((line) => line[column]?.length ?? 0)))
  const lines = table.map((line) =>
    line.map((text, column) => (column === 0 ? text.padEnd(widths[0]!) : text.padStart(widths[column]!))),
  )
  return ['', title, ...lines.map((line) => `  ${line.join('   ')}`.trimEnd()), verdict].join('\n')
}

const cell = ({ median, low, high }: Spread): string => `${figure(median)} (${figure(low)} - ${figure(high)})`

/** Three digits that matter, whole above 100. */
export const figure = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(3)))
