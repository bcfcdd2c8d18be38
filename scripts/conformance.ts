// Writes `docs/conformance.md` from a run of all tests, or from the JSON report of one: `npm run conformance [-- report.json]`.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pageFile, pageFrom } from './conformance/checked-page.ts'
import { runTests } from './conformance/run.ts'

const [given] = process.argv.slice(2)
const report = given ? resolve(given) : join(mkdtempSync(join(tmpdir(), 'a2a-kit-tests-')), 'report.json')
if (!given && !(await runTests([], report))) process.exitCode = 1
const { page, problems } = pageFrom(report)
writeFileSync(pageFile, page)
console.log('docs/conformance.md is written.')
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1
