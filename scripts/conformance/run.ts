// Runs the tests with vitest: `npm test` and `npm run conformance` share it.
import { startVitest } from 'vitest/node'

/**
 * Runs the tests whose files `filters` name, all without any; prints what vitest prints, and one line that counts.
 * With `report`, vitest's JSON report is written to that file.
 * @returns whether all is well
 */
export async function runTests(filters: string[], report?: string): Promise<boolean> {
  const vitest = await startVitest('test', filters, {
    watch: false,
    ...(report === undefined ? {} : { reporters: ['default', ['json', { outputFile: report }]] }),
  })
  await vitest.close()
  const modules = vitest.state.getTestModules()
  const tests = modules.flatMap((module) => [...module.children.allTests()])
  const count = (state: string) => tests.filter((test) => test.result().state === state).length
  const failed = count('failed')
  console.log(`\n${count('passed')} passed, ${failed} failed, ${count('skipped')} skipped`)
  return failed === 0 && tests.length > 0 && modules.every((module) => module.ok())
}
