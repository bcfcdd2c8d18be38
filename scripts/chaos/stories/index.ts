// The work that goes on while the faults are at work: one story is one client and one task.
import type { Chance } from '../chance.ts'
import type { Scene, Told } from '../scene.ts'
import { deploys } from './deploys.ts'
import { scripts } from './scripts.ts'
import { ships } from './ships.ts'

/** Tells a story from its first message to its end. What was seen is in `told`, also if it throws. */
export type Story = (scene: Scene, told: Told) => Promise<void>

const stories: Record<string, Story> = { ...ships, ...deploys, ...scripts }

/** The names of the stories of one round: a change is shipped in each, and the others come by chance. */
export function chooseStories(chance: Chance, count: number): string[] {
  const others = Object.keys(stories).filter((name) => !(name in ships))
  return [chance.pick(Object.keys(ships)), ...chance.some(others, count - 1)]
}

export const tell = (name: string, scene: Scene, told: Told): Promise<void> => stories[name]!(scene, told)

export const newTold = (story: string): Told => ({
  story,
  agent: 'conformance',
  taskId: '',
  messageIds: [],
  states: [],
  streams: [],
  watched: false,
  ends: ['TASK_STATE_COMPLETED'],
  approve: 0,
  deny: 0,
  revoke: 0,
  effects: [],
})
