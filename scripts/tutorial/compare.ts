// Holds a live answer against the recorded one. Pure but for the twins, which learn the ids that they see.
import type { Json } from '@a2a-kit/task-core'
import { unwrittenHeaders } from '../../capture/headers.ts'
import type { Body, Header } from '../../capture/model.ts'
import { natures, valueNatures } from './natural.ts'
import { escaped, type Twins } from './twins.ts'

export type Path = (string | number)[]

/** One value that is not the recorded one. */
export interface Finding {
  path: Path
  /** Why that is no fault; undefined if it is one. */
  reason?: string
  /** Undefined if there is none. */
  recorded: Body
  live: Body
}

/** The first that is a fault; undefined if all differ by nature. */
export const faultIn = <T extends Finding>(findings: T[]): T | undefined =>
  findings.find(({ reason }) => reason === undefined)

/** What differs, in the order of the recorded one; what was added comes last. */
export function compareBodies(recorded: Body, live: Body, twins: Twins, path: Path = []): Finding[] {
  if (recorded === undefined || live === undefined) {
    return recorded === live ? [] : [{ path, recorded, live }]
  }
  if (isTree(recorded) && isTree(live) && Array.isArray(recorded) === Array.isArray(live)) {
    const names = new Set([...Object.keys(recorded), ...Object.keys(live)])
    return [...names].flatMap((name) => {
      const inner = [...path, Array.isArray(recorded) ? Number(name) : name]
      return compareBodies(at(recorded, name), at(live, name), twins, inner)
    })
  }
  if (recorded === live && typeof recorded !== 'string') return []
  return compareValues(recorded, live, twins, path)
}

function compareValues(recorded: Json, live: Json, twins: Twins, path: Path): Finding[] {
  const key = path.at(-1) ?? ''
  if (Object.hasOwn(valueNatures, key)) {
    const { reason, agree } = valueNatures[key]!
    if (agree(recorded, live, twins)) return recorded === live ? [] : [{ path, reason, recorded, live }]
  }
  if (typeof recorded !== 'string' || typeof live !== 'string') return [{ path, recorded, live }]
  const [head, header] = [recorded, live].map(unpacked)
  if (key === 'protected' && head && header) {
    const inner = compareBodies(head, header, twins)
    const [first] = faultIn(inner) ? [] : inner
    if (first) return [{ path, reason: first.reason!, recorded, live }]
  }
  const reasons = compareTexts(recorded, live, twins)
  if (reasons === undefined) return [{ path, recorded, live }]
  return recorded === live ? [] : [{ path, reason: reasons.join(', '), recorded, live }]
}

/** Header fields have no order here, and what a capture leaves out is not looked at. A path is a name in lower case. */
export function compareHeaders(recorded: Header[], live: Header[], twins: Twins): Finding[] {
  const fields = (headers: Header[]) =>
    Object.fromEntries(
      headers
        .map(([name, value]) => [name.toLowerCase(), value])
        .filter(([name]) => !unwrittenHeaders.has(name!)),
    )
  return compareBodies(fields(recorded), fields(live), twins)
}

/** Why `live` may stand for `recorded`, without repeats; undefined if it may not. */
function compareTexts(recorded: string, live: string, twins: Twins): string[] | undefined {
  const kinds = natures.map(({ pattern }, index) => `(?<n${index}>${pattern})`)
  const known = twins.known()
  const scan = new RegExp([...(known ? [`(?<known>${known})`] : []), ...kinds].join('|'), 'g')
  const found = [...recorded.matchAll(scan)].map(({ 0: text, index, groups = {} }) => {
    const nature = natures.find((_, number) => groups[`n${number}`] !== undefined)
    return { text, index, nature }
  })
  let pattern = ''
  let end = 0
  for (const { text, index, nature } of found) {
    const here = nature ? nature.pattern : escaped(twins.live(text)!)
    pattern += `${escaped(recorded.slice(end, index))}(${here})`
    end = index + text.length
  }
  const match = new RegExp(`^${pattern}${escaped(recorded.slice(end))}$`).exec(live)
  if (!match) return undefined
  const agree = found.every(
    ({ text, nature }, index) => nature?.agree(text, match[index + 1]!, twins) ?? true,
  )
  if (!agree) return undefined
  const changed = found.filter(({ text }, index) => text !== match[index + 1])
  return [...new Set(changed.map(({ nature }) => nature?.reason ?? 'an id or address of this play'))]
}

export const isTree = (value: Body): value is Json[] | { [name: string]: Json } =>
  typeof value === 'object' && value !== null

/** What `tree` has under its name or number. */
export const at = (tree: object, name: string): Body =>
  Object.hasOwn(tree, name) ? (tree as Record<string, Json>)[name] : undefined

/** The JSON that `text` holds as base64url; undefined if it holds none. */
function unpacked(text: string): Json | undefined {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString()) as Json
  } catch {
    return undefined
  }
}
