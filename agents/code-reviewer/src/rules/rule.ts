// What a rule is, and the one way in which rules look for patterns in added lines.
import type { ChangedFile } from '../diff.ts'

/** `critical` and `major` findings stop a change; `minor` and `info` do not. */
export type Severity = 'critical' | 'major' | 'minor' | 'info'

/** Where a rule found something. `line` is the new file's, from 1. */
export interface Place {
  file: string
  line: number
  message: string
  /** If it differs from the rule's. */
  severity?: Severity
}

export interface Rule {
  name: string
  severity: Severity
  /** What it finds, in a few words, as the README lists it. */
  finds: string
  check(files: ChangedFile[]): Place[]
}

/** A rule that looks at one file at a time, only at files for which `applies` is true, and finds one thing a line. */
export const fileRule = (
  rule: Omit<Rule, 'check'>,
  applies: (path: string) => boolean,
  check: (file: ChangedFile) => Place[],
): Rule => ({
  ...rule,
  check: (files) => files.filter(({ path }) => applies(path)).flatMap((file) => firstOfEachLine(check(file))),
})

const firstOfEachLine = (places: Place[]): Place[] => [
  ...new Map(places.toReversed().map((place) => [place.line, place])).values(),
]

/**
 * Looks for a global pattern in one view of the file. Each match that touches an added line is a place there, with the
 * message; a function may look at the match and give undefined instead.
 */
export function findInAdded(
  file: ChangedFile,
  view: 'text' | 'code' | 'comments',
  pattern: RegExp,
  message: string | ((match: RegExpExecArray) => string | undefined),
): Place[] {
  return Array.from(file.source[view].matchAll(pattern)).flatMap((match) => {
    const line = firstAdded(file, match.index, match.index + match[0].length)
    if (line === undefined) return []
    const text = typeof message === 'string' ? message : message(match)
    return text === undefined ? [] : [{ file: file.path, line, message: text }]
  })
}

/** The code of the same line that stands before `offset`: its last 100 characters. */
export const codeBefore = ({ source }: ChangedFile, offset: number): string =>
  source.code.slice(Math.max(source.code.lastIndexOf('\n', offset - 1) + 1, offset - 100), offset)

/** The first added line among those of the text from `start` to before `end`, or undefined if none was added. */
export function firstAdded(file: ChangedFile, start: number, end: number): number | undefined {
  const last = file.source.lineAt(Math.max(start, end - 1))
  for (let line = file.source.lineAt(start); line <= last; line++) {
    if (file.added.has(line)) return line
  }
  return undefined
}
