// A part of what `npm run crash` does at every point: an agent is killed in the middle of a story, and all holds.
import { expect, test } from 'vitest'
import { crashEverywhere } from '../scripts/crash/all.ts'
import { partOf } from '../scripts/crash/points.ts'
import { storyNames } from '../scripts/crash/story.ts'

test('an agent that is killed and started again loses nothing and does nothing twice', {
  timeout: 300_000,
}, async () => {
  const outcomes = await crashEverywhere({
    stories: storyNames,
    choose: (all) => partOf(all, { part: 12, of: 36 }),
    lanes: 2,
  })
  expect(outcomes.length).toBeGreaterThan(10)
  for (const { point, folder, problems, reached } of outcomes) {
    expect({ reached, problems }, `${JSON.stringify(point)}, see ${folder}`).toEqual({
      reached: true,
      problems: [],
    })
  }
})
