// Paths into JSON, as markers write them: `result.task.history[0]`, `metadata["urn:a2a-kit:approval:1"]`.
import type { Json } from '@a2a-kit/task-core'
import { listed, MarkerError } from './problem.ts'

/** From the outside in; an element of a list by its index as text. */
export type Path = string[]

const step = /(?:^|\.)([^.[\]"]+)|\[(\d+)\]|\["([^"]+)"\]/y

/** @throws MarkerError where `text` is no path */
export function parsePath(text: string): Path {
  const path: Path = []
  step.lastIndex = 0
  while (step.lastIndex < text.length) {
    const at = step.lastIndex
    const found = step.exec(text)
    if (!found) throw new MarkerError(`${text} is no path: "${text.slice(at)}" was not understood.`)
    path.push((found[1] ?? found[2] ?? found[3])!)
  }
  return path
}

export const isObject = (value: unknown): value is Record<string, Json> =>
  typeof value === 'object' && value !== null

/**
 * What stands at `path`.
 * @throws MarkerError that says how far the path leads, and what there is
 */
export function valueAt(value: Json, path: Path): Json {
  let inner = value
  path.forEach((key, at) => {
    if (!isObject(inner) || !Object.hasOwn(inner, key)) {
      const where = at === 0 ? 'at the top' : `in ${path.slice(0, at).join('.')}`
      const there = isObject(inner) ? listed(Object.keys(inner)) : JSON.stringify(inner)
      throw new MarkerError(`There is no ${path.join('.')}: ${where} there is ${there}.`)
    }
    inner = inner[key]!
  })
  return inner
}

/** True if `path` is `start` or leads on from there. */
export const isWithin = (path: Path, start: Path): boolean => start.every((key, at) => path[at] === key)
