// Writes `docs/conformance.md` from a run of all tests, or from the JSON report of one: `npm run conformance [-- report.json]`.
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { printHelp, readCommandLine } from './command-line.ts'
import { pageFile, pageFrom } from './conformance/checked-page.ts'
import { runTests } from './conformance/run.ts'

const help = `npm run conformance                 runs all tests, in some minutes, and writes docs/conformance.md from what they gave
npm run conformance -- report.json  writes it from the report of a run; npm test says where that is when the page is old
npm run conformance -- --help       this text`

/** Returns the exit code. */
async function conformance(args: string[]): Promise<number> {
  const { values, positionals } = readCommandLine('npm run conformance', args, {}, { words: true })
  if (values.help) {
    printHelp(help)
    return 0
  }
  const [given] = positionals
  if (given && !existsSync(given)) throw new Error(`There is no report ${given} here.`)
  const report = given ? resolve(given) : join(mkdtempSync(join(tmpdir(), 'a2a-kit-tests-')), 'report.json')
  const allPassed = given !== undefined || (await runTests([], report))
  const { page, problems } = pageFrom(report)
  writeFileSync(pageFile, page)
  console.log('docs/conformance.md is written.')
  for (const problem of problems) console.error(problem)
  return allPassed && problems.length === 0 ? 0 : 1
}

try {
  process.exitCode = await conformance(process.argv.slice(2))
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
