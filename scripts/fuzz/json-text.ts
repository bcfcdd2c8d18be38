// JSON as a tree that can say what no JSON value can: a key twice, a number that no double holds, half a surrogate pair.
import type { Json } from '@a2a-kit/task-core'

/** A key is its text between the quotes, with its escapes; `raw` is any text in the place of a value. */
export type Tree = { raw: string } | { items: Tree[] } | { members: [key: string, value: Tree][] }

export function treeOf(value: Json): Tree {
  if (typeof value !== 'object' || value === null) return { raw: JSON.stringify(value) }
  if (Array.isArray(value)) return { items: value.map(treeOf) }
  return {
    members: Object.entries(value).map(([key, inner]) => [JSON.stringify(key).slice(1, -1), treeOf(inner)]),
  }
}

export function textOf(tree: Tree): string {
  if ('raw' in tree) return tree.raw
  if ('items' in tree) return `[${tree.items.map(textOf).join(',')}]`
  return `{${tree.members.map(([key, value]) => `"${key}":${textOf(value)}`).join(',')}}`
}

/** A value in the tree, and where it hangs; the whole has no place. */
export interface Spot {
  tree: Tree
  place?: { of: Tree; at: number }
}

/** Every value of the tree, the whole one first. */
export function spotsOf(tree: Tree, place?: Spot['place']): Spot[] {
  const inner = childrenOf(tree).flatMap((child, at) => spotsOf(child, { of: tree, at }))
  return [{ tree, ...(place && { place }) }, ...inner]
}

const childrenOf = (tree: Tree): Tree[] =>
  'items' in tree ? tree.items : 'members' in tree ? tree.members.map(([, value]) => value) : []

/** Puts `value` where the spot is. The whole tree, which hangs nowhere, becomes it. */
export function put({ tree, place }: Spot, value: Tree): void {
  if (!place) become(tree, value)
  else if ('items' in place.of) place.of.items[place.at] = value
  else if ('members' in place.of) place.of.members[place.at]![1] = value
}

export function remove({ place }: Spot): void {
  if (!place) return
  if ('items' in place.of) place.of.items.splice(place.at, 1)
  else if ('members' in place.of) place.of.members.splice(place.at, 1)
}

function become(tree: Tree, value: Tree): void {
  const copy = structuredClone(value)
  for (const key of Object.keys(tree)) delete (tree as Record<string, unknown>)[key]
  Object.assign(tree, copy)
}
