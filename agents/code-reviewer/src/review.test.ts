import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeFixtureRepository } from './fixture.ts'
import { openRepository, type Repository } from './repository.ts'
import { reviewDiff } from './review.ts'
import { rules } from './rules/index.ts'
import { change, fixture, newFile, temporaryFolder, workTree } from './testing.ts'

async function reviewOf(repository: Repository, diff: string, base = 'main') {
  const baseCommit = (await repository.commitOf(base)) ?? ''
  return reviewDiff(await repository.applied(diff, baseCommit), {
    repository: repository.name,
    base,
    baseCommit,
  })
}
const places = ({ findings }: { findings: { rule: string; file: string; line: number }[] }) =>
  findings.map(({ rule, file, line }) => `${file}:${line} ${rule}`)

describe('the changes of the fixture', () => {
  let payments: Repository
  beforeAll(async () => {
    payments = openRepository('payments-api', await makeFixtureRepository(fixture, await temporaryFolder()))
  })

  test('idempotency-keys is approved', async () => {
    const review = await reviewOf(payments, await change('idempotency-keys'))
    expect(review).toMatchObject({
      repository: 'payments-api',
      base: 'main',
      baseCommit: await payments.commitOf('main'),
      counts: {
        files: 9,
        additions: 92,
        deletions: 4,
        findings: { critical: 0, major: 0, minor: 0, info: 1 },
      },
      verdict: 'approve',
      summary: 'Approved: 9 files, +92 -4, findings: 1 info.',
    })
    expect(places(review)).toEqual(['src/idempotency.js:21 todo-without-ticket'])
  })

  test('hardcoded-secret is not, and everything that was planted is found', async () => {
    const review = await reviewOf(payments, await change('hardcoded-secret'))
    expect(review.verdict).toBe('request-changes')
    expect(review.summary).toBe('Changes requested: 3 files, +20 -1, findings: 3 critical, 4 major, 1 minor.')
    expect(places(review)).toEqual([
      'src/config.js:1 hard-coded-secret',
      'src/config.js:1 untested-change',
      'src/export.js:3 hard-coded-secret',
      'src/export.js:8 sql-from-strings',
      'src/export.js:9 leftover-debugging',
      'src/export.js:10 money-in-floats',
      'src/export.js:12 money-in-floats',
      'src/export.js:13 swallowed-error',
    ])
    const secrets = /q8Zr2LwX0vTn5KdB7sYf|Vie2ohgh7uu/
    expect(JSON.stringify(review)).not.toMatch(secrets)
  })

  test('stale is approved against the branch that it was made for', async () => {
    const review = await reviewOf(payments, await change('stale'), 'release/2026.09')
    expect(review).toMatchObject({ verdict: 'approve', base: 'release/2026.09', findings: [] })
  })
})

describe('a review', () => {
  const small = async (before: string, after: string) => {
    const tree = await workTree(await temporaryFolder())
    await tree.commit({ 'src/a.ts': before })
    await tree.write({ 'src/a.ts': after })
    return reviewOf(openRepository('small', tree.gitDir), await tree.git('diff', '--cached'))
  }

  test('looks at added lines only', async () => {
    const before = 'console.log(1)\nwork()\nconsole.log(2)\n'
    const review = await small(before, 'console.log(1)\nrest()\nconsole.log(2)\nconsole.log(3)\n')
    expect(places(review)).toEqual(['src/a.ts:2 untested-change', 'src/a.ts:4 leftover-debugging'])
  })

  test('sees what stands around an added line, however far away', async () => {
    const filler = 'words\n'.repeat(20)
    const comment = (line: string) => `/*\n${filler}${line}\n${filler}*/\nwork()\n`
    expect(places(await small(comment('words'), comment('console.log(1)')))).toEqual([])
    const template = (line: string) => `const help = \`\n${filler}${line}\n${filler}\`\n`
    expect(places(await small(template('words'), template('debugger')))).toEqual([
      'src/a.ts:22 untested-change',
    ])
  })

  test('sorts its findings by file and line, and each has rule, severity, file, line and message', () => {
    const diff =
      newFile('src/b.ts', 'work()\nconsole.log(1)\neval(text)') + newFile('src/a.ts', '// TODO more')
    const review = reviewDiff(diff, { repository: 'small', base: 'main', baseCommit: '1a2b3c4' })
    expect(places(review)).toEqual([
      'src/a.ts:1 todo-without-ticket',
      'src/b.ts:1 untested-change',
      'src/b.ts:2 leftover-debugging',
      'src/b.ts:3 code-from-strings',
    ])
    expect(review.findings[0]).toEqual({
      rule: 'todo-without-ticket',
      severity: 'info',
      file: 'src/a.ts',
      line: 1,
      message: 'This TODO names no ticket: nobody will find it again',
    })
    expect(review.counts).toEqual({
      files: 2,
      additions: 4,
      deletions: 0,
      findings: { critical: 1, major: 0, minor: 2, info: 1 },
    })
  })

  test('asks for changes for critical and major findings only', () => {
    const verdict = (content: string) =>
      reviewDiff(newFile('test/a.test.ts', content), { repository: 'r', base: 'b', baseCommit: 'c' }).verdict
    expect(verdict('// TODO more\n// @ts-ignore')).toBe('approve')
    expect(verdict('debugger')).toBe('request-changes')
  })

  test('of an empty change approves it', () => {
    const review = reviewDiff('', { repository: 'small', base: 'main', baseCommit: '1a2b3c4' })
    expect(review.summary).toBe('Approved: 0 files, +0 -0, findings: none.')
  })
})

test('the README lists every rule as it is', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const lines = readme.split('\n').map((line) => line.replaceAll(/ {2,}/g, ' '))
  const rows = lines.filter((line) => /^\| `[a-z-]+` \|/.test(line))
  expect(rows).toEqual(rules.map(({ name, severity, finds }) => `| \`${name}\` | ${severity} | ${finds} |`))
})
