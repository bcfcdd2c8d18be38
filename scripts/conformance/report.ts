// Reads vitest's JSON report: each test by its file and its title, and how it went.
import { relative, sep } from 'node:path'

/** One test of a run. A parametrised test is as many. */
export interface RanTest {
  /** Below the root, with `/`. */
  file: string
  /** Without the titles of what it stands in, and without the ids. */
  title: string
  /** The requirements that its title names, at its end. */
  ids: string[]
  passed: boolean
}

/** What is read of the report. */
export interface VitestReport {
  testResults: {
    name: string
    assertionResults: { title: string; status: string }[]
  }[]
}

const endOfIds = /(?:\s*\[[A-Z][A-Z_]*(?:-[A-Z]+)*-\d{3}[a-z]?\])+$/

/** The tests of `report` by their files, each file's in its own order, whatever the order of the run. */
export function readReport({ testResults }: VitestReport, root: string): RanTest[] {
  return testResults
    .map(({ name, assertionResults }) => ({
      file: relative(root, name).split(sep).join('/'),
      assertionResults,
    }))
    .toSorted((a, b) => (a.file < b.file ? -1 : 1))
    .flatMap(({ file, assertionResults }) =>
      assertionResults.map(({ title, status }) => {
        const [end = ''] = endOfIds.exec(title) ?? []
        const ids = end.match(/[^\s[\]]+/g) ?? []
        return { file, title: title.slice(0, title.length - end.length), ids, passed: status === 'passed' }
      }),
    )
}
