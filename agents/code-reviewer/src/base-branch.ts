// Reads the name of a base branch out of what people and programs answer.
import { dataOf, type Message, type Struct, textOf } from '@a2a-kit/task-core/protocol'

// Words around the name in answers such as "base is main" or "against the main branch, please".
const fillers = new Set(
  'a against base be branch compare diff is it its on please should the this to use using with yes'.split(
    ' ',
  ),
)

/** The data that answers the question; a text does as well. */
export const answerSchema: Struct = {
  type: 'object',
  properties: { baseBranch: { type: 'string', description: 'The branch that the diff is against.' } },
  required: ['baseBranch'],
}

/**
 * The branch that an answer names, as text (`main`) or as data (`{"baseBranch": "main"}`).
 * Undefined if the answer is not a name with at most a few words around it: then nobody should guess.
 */
export function readBaseBranch(answer: Message): string | undefined {
  const data = dataOf(answer)
  if (typeof data === 'object' && data !== null && !Array.isArray(data)) {
    return typeof data.baseBranch === 'string' ? bareName(data.baseBranch.trim()) || undefined : undefined
  }
  const words = (typeof data === 'string' ? data : textOf(answer))
    .split(/\s+/)
    .map(bareName)
    .filter((word) => word !== '')
  const names = words.length === 1 ? words : words.filter((word) => !fillers.has(word.toLowerCase()))
  return names.length === 1 ? names[0] : undefined
}

/** The branch in a request such as "review this diff against main:". Undefined if there is none that is clear. */
export function branchInProse(prose: string): string | undefined {
  const named = /\bagainst\s+(?:the\s+)?(?:branch\s+)?([^\s,;:]+)(?:\s+branch\b|[,;:.!]|\s*$)/im.exec(
    prose,
  )?.[1]
  return named && (bareName(named) || undefined)
}

/** No file system takes a longer name for a branch. */
const longest = 255

/** The word without quotes and punctuation around it, and without the prefix of a full or a remote ref. */
export const bareName = (word: string) =>
  word
    .slice(0, longest)
    .replace(/^[`'"(]+|[`'"),.;:!?]+$/g, '')
    .replace(/^refs\/(?:heads|remotes)\//, '')
    .replace(/^origin\//, '')
