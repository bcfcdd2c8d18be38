// Writes a run into the documentation: the generated part of docs/speed.md, and its plot.
import { readFileSync, writeFileSync } from 'node:fs'
import { table } from '../scripts/docs/markdown.ts'
import { diskNote } from './disk.ts'
import { altText, drawPlot } from './plot.ts'
import type { Record } from './record.ts'
import { rowCells, type Table, targetHead, targetRow } from './report.ts'

const page = new URL('../docs/speed.md', import.meta.url)
const plot = new URL('../docs/speed.svg', import.meta.url)

export function writeDocs(record: Record): void {
  const text = filled(readFileSync(page, 'utf8'), record)
  writeFileSync(plot, drawPlot(targetsOf(record)))
  writeFileSync(page, text)
}

const region = /(?<=^<!-- speed -->\n).*(?=^<!-- \/speed -->$)/ms

/**
 * `text` with the run between its two markers.
 * @throws Error without the markers
 */
export function filled(text: string, record: Record): string {
  if (!region.test(text))
    throw new Error('docs/speed.md has no region between <!-- speed --> and <!-- /speed -->.')
  const lines = [
    ...about(record),
    '',
    ...table(targetHead, targetsOf(record).map(targetRow)),
    '',
    `![${altText(targetsOf(record))}](speed.svg)`,
    ...record.results.flatMap(({ part, tables }) => ['', `### ${part}`, ...tables.flatMap(tableLines)]),
    '',
  ]
  return text.replace(region, () => `${lines.join('\n')}\n`)
}

const targetsOf = ({ results }: Record) => results.flatMap(({ targets }) => targets)

function about({ at, machine, versions, settings }: Record): string[] {
  const { node, ...packages } = versions
  const named = Object.entries(packages).map(([name, version]) => `${name} ${version}`)
  return [
    `Measured on ${at.slice(0, 10)}: ${machine.system}, ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGiB} GiB. ${diskNote(machine.syncMs)} ${machine.note}`,
    `Node.js ${node}, ${named.join(', ')}. ${settings.rounds} rounds, ${settings.seconds} s of load each.`,
  ]
}

const tableLines = ({ title, columns, rows, verdict }: Table): string[] => [
  '',
  `${title}:`,
  '',
  ...table(['', ...columns], rows.map(rowCells)),
  ...(verdict ? ['', verdict] : []),
]
