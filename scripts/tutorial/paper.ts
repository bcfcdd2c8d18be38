// How a tutorial is set on the terminal: paragraphs, requests, and answers beside the recorded ones.
import { styleText } from 'node:util'
import { visible, wrap } from '../wrap.ts'
import type { Row } from './rows.ts'

type Format = Parameters<typeof styleText>[0]
export type Output = NodeJS.WritableStream & Partial<Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>>
export type Paper = ReturnType<typeof createPaper>

/** From this width on, in columns, two sides stand beside each other. */
const widthForTwo = 116
/** Prose that is wider is hard to read. */
const widestProse = 90
/** Lines that one long value may take. */
const mostLines = 14

const marks = { same: ' ', nature: '~', fault: '≠' }

export function createPaper(output: Output) {
  const width = output.isTTY ? Math.max(40, output.columns ?? 80) : 80
  const two = width >= widthForTwo
  const style = (format: Format, text: string) =>
    styleText(format, text, { stream: output as NodeJS.WriteStream })
  let blank = true
  /** An empty line after an empty one is not printed. */
  const say = (text = '') => {
    if (text !== '' || !blank) output.write(`${text}\n`)
    blank = text === ''
  }
  const paint = (kind: Row['kind'], text: string) =>
    kind === 'same' ? text : style(kind === 'nature' ? 'dim' : ['bold', 'red'], text)

  /** A line of JSON or HTTP in as many lines as it takes, or its beginning; a line break within a text is one here too. */
  function fold(line: string, columns: number): string[] {
    const indent = /^ */.exec(line)![0]
    const hang = columns - indent.length - 4
    const parts = line
      .trimStart()
      .split(/(?<=\\n)(?=.{3})/)
      .flatMap((text) => wrap(text, hang))
      .flatMap((part) => part.match(new RegExp(`.{1,${hang}}(?:.{1,2}$)?`, 'gsu')) ?? [''])
    const lines = parts.slice(0, mostLines).map((part, at) => `${indent}${at === 0 ? '' : '  '}${part}`)
    const more = parts.length - lines.length
    return more > 0 ? [...lines, `${indent}  … (shortened here: ${more} more lines)`] : lines
  }

  function printBeside(rows: Row[]): void {
    const column = Math.floor((width - 5) / 2)
    for (const { live, recorded, kind } of [head('what came', 'recorded'), ...rows]) {
      const [left, right] = [live, recorded].map((line) => (line === undefined ? [] : fold(line, column)))
      for (let at = 0; at < Math.max(left!.length, right!.length); at++) {
        const [here, there] = [left![at] ?? '', right![at] ?? '']
        const line = `${paint(kind, `${at === 0 ? marks[kind] : ' '} ${here}`)}${' '.repeat(column - visible(here))}`
        say(`${line} ${style('dim', '│')} ${paint(kind, there)}`.trimEnd())
      }
    }
  }

  /** What came, with what was recorded below each line that differs and means something, and below all what else is other. */
  function printBelow(rows: Row[], news: (row: Row) => boolean): void {
    const print = (line: string, mark: string, kind: Row['kind']) => {
      for (const [at, part] of fold(line, width - 2).entries())
        say(paint(kind, `${at === 0 ? mark : ' '} ${part}`.trimEnd()))
    }
    for (const { live, recorded, kind } of rows) {
      if (live !== undefined) print(live, marks[kind], kind === 'fault' ? kind : 'same')
      if (recorded !== undefined && kind === 'fault') print(recorded, '-', kind)
    }
    const others = rows.filter((row) => row.kind === 'nature' && news(row))
    if (others.length > 0) {
      say()
      say(style('dim', 'recorded for lines with ~, if not listed before:'))
      for (const { recorded } of others) print((recorded ?? '').trim().replace(/,$/, ''), '~', 'nature')
    }
  }

  return {
    /** For prose, in columns. */
    width: Math.min(width, widestProse),
    style,
    say,
    /** What the marks beside the lines mean. */
    legend: [
      '~  differs from what was recorded, and may: an id, a time, an address',
      '≠  differs, and should not',
      ...(two ? [] : ['-  what was recorded there']),
    ],
    /** Says that something takes a while, on a terminal with the seconds; what it returns ends that. */
    during(what: string): () => void {
      if (!output.isTTY) {
        say(`${what} …`)
        return () => {}
      }
      const begun = Date.now()
      const tell = () =>
        output.write(`\r\u001b[K${style('dim', `… ${what} (${Math.round((Date.now() - begun) / 1000)} s)`)}`)
      tell()
      const timer = setInterval(tell, 1000)
      return () => {
        clearInterval(timer)
        output.write('\r\u001b[K')
      }
    },
    paragraph(text: string): void {
      for (const [at, part] of text.split('\n\n').entries()) {
        if (at > 0) say()
        for (const line of wrap(part, Math.min(width, widestProse))) say(line)
      }
    },
    heading(text: string): void {
      const line = `── ${text} `
      say(style('bold', line.padEnd(Math.min(width, widestProse), '─')))
    },
    /** Lines of a request, or of what is shown as it was recorded. */
    lines(text: string, format?: Format): void {
      for (const line of text.split('\n'))
        for (const part of fold(line, width - 2)) say(`  ${format ? style(format, part) : part}`.trimEnd())
    },
    /** `news` says which rows that differ by nature are worth printing when the sides do not stand beside each other. */
    rows: (rows: Row[], news: (row: Row) => boolean) => (two ? printBeside(rows) : printBelow(rows, news)),
  }
}

const head = (live: string, recorded: string): Row => ({ live, recorded, kind: 'same' })
