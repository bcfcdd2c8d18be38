// Runs all tests, or those whose files are named: `npm test`, `npm test -- client`. A run of all also checks `docs/conformance.md`.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { printHelp, readCommandLine } from './command-line.ts'
import { pageFile, pageFrom } from './conformance/checked-page.ts'
import { runTests } from './conformance/run.ts'

const help = `npm test                 runs all tests, in some minutes, and checks that docs/conformance.md is what they give
npm test -- client push  runs those whose files have one of the words in their path
npm test -- --help       this text`

/** Returns the exit code. */
async function test(args: string[]): Promise<number> {
  const { values, positionals } = readCommandLine('npm test', args, {}, { words: true })
  if (values.help) {
    printHelp(help)
    return 0
  }
  if (positionals.length > 0) return (await runTests(positionals)) ? 0 : 1
  const folder = mkdtempSync(join(tmpdir(), 'a2a-kit-tests-'))
  const report = join(folder, 'report.json')
  const allPassed = await runTests([], report)
  const isChecked = existsSync(report) && checkPage(report)
  if (isChecked) rmSync(folder, { recursive: true })
  return allPassed && isChecked ? 0 : 1
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

try {
  process.exitCode = await test(process.argv.slice(2))
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
