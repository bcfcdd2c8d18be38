// Runs the tests with vitest: `npm test` and `npm run conformance` share it.
import { writeFileSync } from 'node:fs'
import { startVitest, type TestCase, type TestModule } from 'vitest/node'
import type { VitestReport } from './report.ts'

/**
 * Runs the tests whose files `filters` name, all without any; prints what vitest prints, and one line that counts.
 * With `report`, what they gave is written to that file.
 * @returns whether all is well
 */
export async function runTests(filters: string[], report?: string): Promise<boolean> {
  const vitest = await startVitest('test', filters, { watch: false })
  await vitest.close()
  const modules = vitest.state.getTestModules()
  if (modules.length === 0) return false // vitest has said so
  if (report !== undefined) writeFileSync(report, JSON.stringify(reportOf(modules)))
  const tests = modules.flatMap((module) => [...module.children.allTests()])
  const count = (state: string) => tests.filter((test) => test.result().state === state).length
  const failed = count('failed')
  console.log(`\n${count('passed')} passed, ${failed} failed, ${count('skipped')} skipped`)
  return failed === 0 && tests.length > 0 && modules.every((module) => module.ok())
}

/** Vitest's own JSON reporter would also print where the report is, which is gone by then if all is well. */
const reportOf = (modules: TestModule[]): VitestReport => ({
  testResults: modules.map(({ moduleId: name, children }) => ({
    name,
    assertionResults: [...children.allTests()].map((test) => ({
      ancestorTitles: titlesAround(test),
      title: test.name,
      status: test.result().state,
    })),
  })),
})

function titlesAround({ parent }: TestCase): string[] {
  const titles: string[] = []
  for (let around = parent; around.type === 'suite'; around = around.parent) titles.unshift(around.name)
  return titles
}
