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
  /** The field cases that its title begins with, or one that it stands in. */
  cases: string[]
  passed: boolean
}

/** What is read of the report. */
export interface VitestReport {
  testResults: {
    name: string
    assertionResults: { ancestorTitles?: string[]; title: string; status: string }[]
  }[]
}

const endOfIds = /(?:\s*\[[A-Z][A-Z_]*(?:-[A-Z]+)*-\d{3}[a-z]?\])+$/

const startOfCases = /^[A-Z][A-Z\d]*(?:-[A-Z\d]+)+(?:, [A-Z][A-Z\d]*(?:-[A-Z\d]+)+)*(?=: )/

/** The ids of the cases that `title` begins with: `ONE-CASE: …`, or `ONE-CASE, ANOTHER-CASE: …`. */
const casesOf = (title: string): string[] => startOfCases.exec(title)?.[0].split(', ') ?? []

/** The tests of `report` by their files, each file's in its own order, whatever the order of the run. */
export function readReport({ testResults }: VitestReport, root: string): RanTest[] {
  return testResults
    .map(({ name, assertionResults }) => ({
      file: relative(root, name).split(sep).join('/'),
      assertionResults,
    }))
    .toSorted((a, b) => (a.file < b.file ? -1 : 1))
    .flatMap(({ file, assertionResults }) =>
      assertionResults.map(({ ancestorTitles = [], title, status }) => {
        const [end = ''] = endOfIds.exec(title) ?? []
        const ids = end.match(/[^\s[\]]+/g) ?? []
        const cases = [...new Set([...ancestorTitles, title].flatMap(casesOf))]
        const bare = title.slice(0, title.length - end.length)
        return { file, title: bare, ids, cases, passed: status === 'passed' }
      }),
    )
}
