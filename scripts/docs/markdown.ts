// The pieces of Markdown that regions are filled with, in the form that the formatter keeps.
import { posix } from 'node:path'

/** A fenced block; its fence is longer than any in the text. */
export function fenced(language: string, lines: string[]): string[] {
  const runs = lines.flatMap((line) => line.match(/`{3,}/g) ?? []).map((run) => run.length + 1)
  const fence = '`'.repeat(Math.max(3, ...runs))
  return [`${fence}${language}`, ...lines, fence]
}

/** A table, its columns as wide as their widest cell. */
export function table(head: string[], rows: string[][]): string[] {
  const all = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')))
  const widths = head.map((_, at) => Math.max(3, ...all.map((row) => row[at]!.length)))
  const lines = all.map((row) => `| ${row.map((cell, at) => cell.padEnd(widths[at]!)).join(' | ')} |`)
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`
  return [lines[0]!, rule, ...lines.slice(1)]
}

/** A link from `page` to `file`, both paths from the project's folder; its text is `text`, by default that path. */
export const link = (page: string, file: string, text = file): string =>
  `[${text}](${posix.relative(posix.dirname(page), file)})`
