import { expect, test } from 'vitest'
import { fieldCases } from './field-cases.ts'
import { judge, judgeCases } from './judge.ts'
import { matrixOf } from './matrix.ts'
import { pageOf } from './page.ts'
import { type RanTest, readReport } from './report.ts'
import { type Requirement, requirements } from './requirements.ts'
import { familiesOf } from './titles.ts'

const requirement = (id: string, more: Partial<Requirement> = {}): Requirement => ({
  id,
  level: 'MUST',
  section: '1.2',
  title: `What ${id} wants`,
  ...more,
})
const ran = (ids: string[], more: Partial<RanTest> = {}): RanTest => ({
  file: 'tests/a.test.ts',
  title: 'it is so',
  ids,
  cases: [],
  passed: true,
  ...more,
})
const problemsOf = (all: Requirement[], tests: RanTest[]) => judge(all, tests).problems

test('a report is read by files in their order: titles without their ids, and only a pass is one', () => {
  const assertionResults = [
    { title: 'over [x] it holds [A-B-001] [C_D-E-002a]', status: 'passed' },
    { title: 'a list [1] and [A-B-001] in the middle', status: 'passed' },
    { title: 'skipped [A-B-001]', status: 'skipped' },
    { title: 'failed', status: 'failed' },
  ]
  const report = {
    testResults: [
      { name: '/kit/tests/b.test.ts', assertionResults: [] },
      { name: '/kit/tests/z.test.ts', assertionResults: [{ title: 'z', status: 'todo' }] },
      { name: '/kit/tests/a.test.ts', assertionResults },
    ],
  }
  expect(readReport(report, '/kit')).toEqual([
    ran(['A-B-001', 'C_D-E-002a'], { title: 'over [x] it holds' }),
    ran([], { title: 'a list [1] and [A-B-001] in the middle' }),
    ran(['A-B-001'], { title: 'skipped', passed: false }),
    ran([], { title: 'failed', passed: false }),
    ran([], { file: 'tests/z.test.ts', title: 'z', passed: false }),
  ])
})

test('a test is of the cases that its title begins with, or that of what it stands in', () => {
  const titles: [string[], string][] = [
    [['over JSONRPC'], 'ONE-CASE, TWO-300S: it is so [A-B-001]'],
    [['ONE-CASE: over JSONRPC'], 'TWO-300S: it is so'],
    [['ONE-CASE: over JSONRPC'], 'it is so'],
    [[], 'JSON-RPC is served'],
    [[], 'over JSONRPC: not at its start is ONE-CASE: none'],
  ]
  const assertionResults = titles.map(([ancestorTitles, title]) => ({
    ancestorTitles,
    title,
    status: 'passed',
  }))
  const tests = readReport({ testResults: [{ name: '/kit/a.test.ts', assertionResults }] }, '/kit')
  expect(tests.map(({ cases }) => cases)).toEqual([
    ['ONE-CASE', 'TWO-300S'],
    ['ONE-CASE', 'TWO-300S'],
    ['ONE-CASE'],
    [],
    [],
  ])
})

test('a field case needs tests that name it, all of which pass, and a name must be that of one', () => {
  const all = ['A-ONE', 'A-TWO', 'A-THREE'].map((id) => ({ id, kind: 'SC', title: `What ${id} wants` }))
  const { cases, problems } = judgeCases(all, [
    ran([], { cases: ['A-ONE'] }),
    ran([], { cases: ['A-ONE', 'A-THREE'], file: 'tests/b.test.ts' }),
    ran([], { cases: ['A-THREE'], passed: false }),
    ran([], { cases: ['A-NONE'] }),
  ])
  expect(cases.map(({ files }) => files)).toEqual([['tests/a.test.ts', 'tests/b.test.ts'], [], []])
  expect(problems).toEqual([
    'A-TWO has no test whose title begins with it.',
    'A-THREE is not held: "it is so" (tests/a.test.ts) did not pass.',
    'A-NONE is no field case, and is named by "it is so" (tests/a.test.ts).',
  ])
  const page = pageOf(judge([], []), { cases, problems }, matrixOf([]))
  expect(page).toContain('| A-ONE | S, C | What A-ONE wants | `tests/a.test.ts`<br>`tests/b.test.ts` |\n')
  expect(page).toContain('| A-TWO | S, C | What A-TWO wants | — |\n')
})

test('a requirement needs a test that names it, or a reason', () => {
  const all = [requirement('A-001'), requirement('A-002', { reason: 'no way' }), requirement('A-003')]
  expect(problemsOf(all, [ran(['A-001'])])).toEqual([
    'A-003 has neither a test that names it nor a reason for having none.',
  ])
})

test('a reason is stale once there is a test', () => {
  const all = [requirement('A-001', { reason: 'no way' })]
  expect(problemsOf(all, [ran(['A-001'])])).toEqual([
    'A-001 has a test that passes, and a reason for having none: take the reason away.',
  ])
})

test('a test that names what is no requirement is told once, however many cases it has', () => {
  const tests = [ran(['A-009']), ran(['A-009'])]
  expect(problemsOf([], tests)).toEqual([
    'A-009 is no requirement, and is named by "it is so" (tests/a.test.ts).',
  ])
})

test('a test of which one case did not pass holds nothing', () => {
  const tests = [ran(['A-001']), ran(['A-001'], { title: 'nor so', passed: false })]
  expect(problemsOf([requirement('A-001')], tests)).toEqual([
    'A-001 is not held: "nor so" (tests/a.test.ts) did not pass.',
  ])
  expect(judge([requirement('A-001')], tests).requirements[0]!.heldBy).toEqual([])
  const elsewhere = ran(['A-001'], { file: 'tests/b.test.ts' })
  expect(problemsOf([requirement('A-001')], [...tests, elsewhere])).toEqual([])
})

test('an operation is served where all its tests passed, and the newer version stands first', () => {
  const cell = (title: string, passed = true) => ran([], { file: 'tests/matrix.test.ts', title, passed })
  const { columns, rows } = matrixOf([
    cell('SendMessage over JSONRPC of 0.3'),
    cell('SendMessage over JSONRPC of 1.0'),
    cell('SendMessage over HTTP+JSON of 1.0', false),
    ran([], { title: 'GetTask over JSONRPC of 1.0' }),
  ])
  expect(columns).toEqual([
    { binding: 'JSONRPC', version: '1.0' },
    { binding: 'HTTP+JSON', version: '1.0' },
    { binding: 'JSONRPC', version: '0.3' },
  ])
  expect(rows[0]).toEqual({ operation: 'SendMessage', served: [true, false, true] })
  expect(rows.slice(1).flatMap(({ served }) => served)).not.toContain(true)
})

test('the page lists each requirement with what holds it, or why nothing does', () => {
  const tests = [
    ran(['A-001'], { title: 'over JSONRPC a | b' }),
    ran(['A-001'], { title: 'over HTTP+JSON a | b' }),
  ]
  const all = [requirement('A-001'), requirement('A-002', { level: 'MAY', reason: 'no way' })]
  const page = pageOf(judge(all, tests), judgeCases([], tests), matrixOf([]))
  expect(page).toContain('| A-001 | MUST | 1.2 | What A-001 wants | a \\| b (`tests/a.test.ts`) |\n')
  expect(page).toContain('| A-002 | MAY | 1.2 | What A-002 wants | — no way |\n')
  expect(page).toContain('| all | 2 | 1 | 1 |\n')
})

test('the cases of a test are one title, with a mark where they differ; other tests are others', () => {
  expect(
    familiesOf([
      'over JSONRPC a task in WORKING takes no message',
      'over JSONRPC a task in AUTH_REQUIRED takes no message',
      'what SendMessage gives over JSONRPC',
      'over HTTP+JSON: a task in WORKING takes no message',
      'what SendMessage gives over GRPC',
      'GetTask over GRPC of 1.0',
      'a batch is refused',
      'another version of it is refused',
    ]),
  ).toEqual(['a task in … takes no message', 'what SendMessage gives', 'GetTask of 1.0', '… is refused'])
})

test('the requirements are those of the official suite: 114 MUST, 11 SHOULD and 4 MAY, each once', () => {
  const levels = Object.groupBy(requirements, ({ level }) => level)
  expect([levels.MUST, levels.SHOULD, levels.MAY].map((all) => all?.length)).toEqual([114, 11, 4])
  expect(new Set(requirements.map(({ id }) => id)).size).toBe(129)
})

test('the field cases are 60, each once', () => {
  expect(new Set(fieldCases.map(({ id }) => id)).size).toBe(60)
  expect(fieldCases).toHaveLength(60)
})
