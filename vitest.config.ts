import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** They begin first: whichever begins last is waited for alone. */
const longest = /\/(crash|chaos|push-restart|readme|capture|cut|command-line)\.test\.ts$/

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => longest.test(moduleId)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    exclude: ['**/node_modules/**', 'data/**'],
    testTimeout: 60_000,
    // For the agents that tests start as processes: Node.js keeps there what it has compiled.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/a2a-kit-compiled') },
    isolate: false, // loading the core anew for each file cost more than the file's tests; so a test undoes what it sets
    maxWorkers: 3, // most tests wait for something: with as many workers as CI has cores, two, a third of the time went unused
    sequence: { sequencer: LongestFirst },
  },
})
