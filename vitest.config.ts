import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    exclude: ['**/node_modules/**', 'data/**'],
    testTimeout: 60_000,
    maxWorkers: 2, // most tests wait for something: on two cores one worker leaves half of the time unused
  },
})
