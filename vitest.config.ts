import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** They begin first: whichever begins last is waited for alone. */
const longest = /\/(crash|push-restart|readme|capture|cut|command-line)\.test\.ts$/

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
    maxWorkers: 2, // most tests wait for something: on two cores one worker leaves half of the time unused
    sequence: { sequencer: LongestFirst },
  },
})
