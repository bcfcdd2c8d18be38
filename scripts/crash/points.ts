// The points at which an agent can be killed: how they are written, and which of them a run takes.
import { type AgentName, agentNames } from '../kit.ts'
import { type StoryName, storyNames } from './story.ts'

/** The `moment` is a name and its occurrence in the agent's process, such as `commit:before#5`. */
export interface Point {
  story: StoryName
  agent: AgentName
  moment: string
}

/** As `--points` takes it, such as `planner:commit:before#5`. */
export const nameOf = ({ agent, moment }: Point): string => `${agent}:${moment}`

/** The name of the moment without its occurrence. */
export const kindOf = ({ moment }: Pick<Point, 'moment'>): string => moment.replace(/#\d+$/, '')

/** @throws Error that says how a point is written */
export function parsePoint(text: string, story: StoryName): Point {
  const [, agent, moment] = /^([a-z-]+):([a-zA-Z:.-]+#\d+)$/.exec(text) ?? []
  if (moment && agentNames.includes(agent as AgentName)) return { story, agent: agent as AgentName, moment }
  throw new Error(
    `"${text}" is no point. Write one as planner:commit:before#5: an agent, a moment, and which one of its name.`,
  )
}

/** @throws Error that lists the stories */
export function parseStory(text: string): StoryName {
  if (storyNames.includes(text as StoryName)) return text as StoryName
  throw new Error(`There is no story ${text}. There are ${storyNames.join(' and ')}.`)
}

/** One part of `all`, spread over it evenly: every `of`-th, beginning with the `part`-th (from 1). */
export const partOf = <T>(all: T[], { part, of }: { part: number; of: number }): T[] =>
  all.filter((_one, index) => index % of === part - 1)

/** Reads `2/12`. @throws Error that says how it is written */
export function parsePart(text: string): { part: number; of: number } {
  const [, part = 0, of = 0] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number)
  if (part >= 1 && part <= of) return { part, of }
  throw new Error(`--part is written as 2/12, the second of twelve parts, and is "${text}".`)
}
