// Changes that the tests do not follow.
import type { ChangedFile } from '../diff.ts'
import { isScript, isSource, isTest } from '../paths.ts'
import type { Place, Rule } from './rule.ts'

const few = 10

export const untestedChange: Rule = {
  name: 'untested-change',
  severity: 'major',
  finds: `new source lines and no change to a test (minor up to ${few} lines)`,
  check(files) {
    if (files.some((file) => isTest(file.path) && file.added.size > 0)) return []
    const changed = files
      .filter(({ path }) => isSource(path) && !isScript(path))
      .map((file) => ({ file: file.path, lines: codeLines(file) }))
      .filter(({ lines }) => lines.length > 0)
    const [first] = changed
    if (!first) return []
    const count = changed.reduce((sum, { lines }) => sum + lines.length, 0)
    const message = `${count} new ${count === 1 ? 'line' : 'lines'} of code and no change to a test`
    const place: Place = { file: first.file, line: first.lines[0] ?? 1, message }
    return [count > few ? place : { ...place, severity: 'minor' }]
  },
}

/** The numbers of the added lines that hold more than a comment. */
function codeLines({ source, added }: ChangedFile): number[] {
  const [lines, comments] = [source.text.split('\n'), source.comments.split('\n')]
  return [...added].filter((line) => lines[line - 1]?.trim() !== comments[line - 1]?.trim())
}

export const removedTests: Rule = {
  name: 'removed-tests',
  severity: 'major',
  finds: 'a test file deleted while all sources stay',
  check: (files) =>
    files.some(({ path, status }) => isSource(path) && status === 'deleted')
      ? []
      : files
          .filter(({ path, status }) => isTest(path) && status === 'deleted')
          .map(({ path }) => ({ file: path, line: 1, message: 'The tests go, and what they test stays' })),
}
