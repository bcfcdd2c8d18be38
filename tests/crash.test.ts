// A part of what `npm run crash` does at every point: an agent is killed in the middle of a story, and all holds.
import { expect, test } from 'vitest'
import { inWorkspace, killAtEach, recordAll } from '../scripts/crash/all.ts'
import { partOf } from '../scripts/crash/points.ts'
import { storyNames } from '../scripts/crash/story.ts'

test('agents that are killed and started again lose nothing and do nothing twice', {
  timeout: 300_000,
}, async () => {
  const outcomes = await inWorkspace(async (workspace) => {
    const points = await recordAll(workspace, storyNames)
    return await killAtEach(workspace, partOf(points, { part: 12, of: 36 }), { atOnce: 2 })
  })
  expect(outcomes.length).toBeGreaterThan(10)
  for (const { point, folder, reached, problems } of outcomes) {
    const where = `${JSON.stringify(point)}, see ${folder}`
    expect({ reached, problems }, where).toEqual({ reached: true, problems: [] })
  }
})
