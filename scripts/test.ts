// Runs all tests, or those whose files are named: `npm test`, `npm test -- client`. Ends with one line that counts them.
import { startVitest } from 'vitest/node'

const vitest = await startVitest('test', process.argv.slice(2), { watch: false })
await vitest.close()
const tests = vitest.state.getTestModules().flatMap((module) => [...module.children.allTests()])
const count = (state: string) => tests.filter((test) => test.result().state === state).length
const broken = vitest.state.getTestModules().filter((module) => !module.ok()).length
const failed = count('failed')
console.log(`\n${count('passed')} passed, ${failed} failed, ${count('skipped')} skipped`)
if (broken > 0 || failed > 0 || tests.length === 0) process.exitCode = 1
