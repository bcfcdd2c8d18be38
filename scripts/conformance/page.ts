// Writes `docs/conformance.md`: what is served, and what holds each requirement and each field case. The same run gives the same page.
import type { CaseJudgement, Judged, Judgement } from './judge.ts'
import type { Matrix } from './matrix.ts'
import { suite } from './suite.ts'

/** The page, as Markdown. */
export function pageOf({ requirements }: Judgement, { cases }: CaseJudgement, matrix: Matrix): string {
  return `# What holds the specification

Every operation over every binding, and every requirement that the official suite counts, with the test of this kit that holds it. A test holds
a requirement where it holds what the specification's text says of it; the suite often checks less, and has no test for some.

This page is generated from a run of all tests: \`npm run conformance\` writes it, and \`npm test\` fails when it is not what the run gives, when a
requirement has neither a test that passes nor a reason or has both, or when a fault of the field has no test that holds it. A test that fails or is skipped does not count.

## Operations

Each ✓ is a test in \`tests/matrix.test.ts\` that calls the operation and gets its result.

${table(
  ['operation', ...matrix.columns.map(({ binding, version }) => `${binding} ${version}`)],
  matrix.rows.map(({ operation, served }) => [`\`${operation}\``, ...served.map((one) => (one ? '✓' : '—'))]),
)}

## Requirements

${countsOf(requirements)}

The ids are those of the official suite, the sections those of the specification. Where a test runs for each binding or for many cases, it stands
here once, with \`…\` where its cases differ.

${table(
  ['id', 'level', '§', 'requirement', 'held by'],
  requirements.map((one) => [one.id, one.level, one.section, one.title, holdersOf(one)]),
)}

## Faults of the field

Faults that A2A servers and clients have really had, as public issue threads tell them: ${cases.length} cases. The titles of the tests of a case begin
with its id, and each of them must pass. S is a fault of servers, C of clients, D of captures and documentation.

${table(
  ['id', 'of', 'what is right', 'tests'],
  cases.map(({ id, kind, title, files }) => [id, [...kind].join(', '), title, filesOf(files)]),
)}

## The official suite

${suite}
`
}

function countsOf(requirements: readonly Judged[]): string {
  const levels = ['MUST', 'SHOULD', 'MAY'] as const
  const rows = levels.map((level) => {
    const all = requirements.filter((one) => one.level === level)
    const held = all.filter(({ heldBy }) => heldBy.length > 0).length
    return [level, all.length, held, all.length - held].map(String)
  })
  const total = [1, 2, 3].map((column) => rows.reduce((sum, row) => sum + Number(row[column]), 0))
  return table(
    ['level', 'requirements', 'held by a test', 'not held, with a reason'],
    [...rows, ['all', ...total.map(String)]],
  )
}

function holdersOf({ heldBy, reason }: Judged): string {
  if (heldBy.length === 0) return `— ${reason ?? ''}`
  const files = [...Map.groupBy(heldBy, ({ file }) => file)]
  return files.map(([file, all]) => `${all.map(({ title }) => title).join('; ')} (\`${file}\`)`).join('<br>')
}

const filesOf = (files: readonly string[]): string => files.map((file) => `\`${file}\``).join('<br>') || '—'

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replace(/<(?!br>)/g, '\\<')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
