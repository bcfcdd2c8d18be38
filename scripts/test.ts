// Runs all tests, or those whose files are named: `npm test`, `npm test -- client`. A run of all also checks `docs/conformance.md`.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pageFile, pageFrom } from './conformance/checked-page.ts'
import { runTests } from './conformance/run.ts'

const filters = process.argv.slice(2)
if (filters.length > 0) {
  if (!(await runTests(filters))) process.exitCode = 1
} else {
  const folder = mkdtempSync(join(tmpdir(), 'a2a-kit-tests-'))
  const report = join(folder, 'report.json')
  const allPassed = await runTests([], report)
  const isChecked = existsSync(report) && checkPage(report)
  if (!allPassed || !isChecked) process.exitCode = 1
  if (isChecked) rmSync(folder, { recursive: true })
}

/** Whether the requirements are held and the page says so; otherwise says what to do. */
function checkPage(report: string): boolean {
  const { page, problems } = pageFrom(report)
  for (const problem of problems) console.error(problem)
  const isCurrent = existsSync(pageFile) && readFileSync(pageFile, 'utf8') === page
  if (!isCurrent) {
    console.error(
      `docs/conformance.md is not what this run gives. \`npm run conformance -- ${report}\` writes it from this run.`,
    )
  }
  return problems.length === 0 && isCurrent
}
