// Changes that are too large to be reviewed well, and files that cannot be reviewed at all.
import type { ChangedFile } from '../diff.ts'
import { isGenerated } from '../paths.ts'
import type { Place, Rule } from './rule.ts'

const large = 400
const huge = 1000

export const oversizedChange: Rule = {
  name: 'oversized-change',
  severity: 'minor',
  finds: `more than ${large} changed lines (major: more than ${huge}), generated files aside`,
  check(files) {
    const written = files.filter(({ path }) => !isGenerated(path))
    const sizeOf = ({ additions, deletions }: ChangedFile) => additions + deletions
    const size = written.reduce((sum, file) => sum + sizeOf(file), 0)
    const [largest] = written.toSorted((a, b) => sizeOf(b) - sizeOf(a))
    if (!largest || size <= large) return []
    const [line = 1] = largest.added
    const message = `${size} changed lines in ${written.length} files: split the change`
    const place: Place = { file: largest.path, line, message }
    return [size > huge ? { ...place, severity: 'major' } : place]
  },
}

export const binaryFile: Rule = {
  name: 'binary-file',
  severity: 'info',
  finds: 'a binary file, which was not reviewed',
  check: (files) =>
    files
      .filter(({ binary, status }) => binary && status !== 'deleted')
      .map(({ path }) => ({ file: path, line: 1, message: 'A binary file: its content was not reviewed' })),
}
