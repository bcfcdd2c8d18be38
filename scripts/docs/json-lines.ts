// JSON as lines, as it stands in a capture, with members that are cut.
import type { Json } from '@a2a-kit/task-core'
import { isObject, isWithin, type Path, valueAt } from './path.ts'

/** Which members are replaced by a line with `…`: those at the paths of `cut`, or all but those of `only`. */
export interface Selection {
  how: 'cut' | 'only'
  paths: Path[]
}

/**
 * The lines of the value at `path`, after its key if it has one.
 *
 * @param selection its paths lead on from `path`
 * @throws MarkerError where a path leads nowhere
 */
export function linesAt(value: Json, path: Path, selection?: Selection): string[] {
  const top = valueAt(value, path)
  for (const one of selection?.paths ?? []) valueAt(top, one)
  const parent = valueAt(value, path.slice(0, -1))
  const key = path.length === 0 || Array.isArray(parent) ? undefined : path.at(-1)
  return linesOf(top, [], key, '', hides(selection))
}

function hides(selection: Selection | undefined): (path: Path) => boolean {
  if (!selection) return () => false
  const { how, paths } = selection
  return (path) =>
    how === 'cut'
      ? paths.some((cut) => isWithin(path, cut))
      : !paths.some((kept) => isWithin(path, kept) || isWithin(kept, path))
}

function linesOf(
  value: Json,
  path: Path,
  key: string | undefined,
  comma: string,
  hidden: (path: Path) => boolean,
): string[] {
  const start = key === undefined ? '' : `${JSON.stringify(key)}: `
  const members = isObject(value) ? Object.entries(value) : []
  if (members.length === 0) return [`${start}${JSON.stringify(value)}${comma}`]
  const isList = Array.isArray(value)
  const inner: string[] = []
  members.forEach(([name, member], at) => {
    const own = [...path, name]
    if (!hidden(own)) {
      const next = at < members.length - 1 ? ',' : ''
      inner.push(...linesOf(member, own, isList ? undefined : name, next, hidden))
    } else if (inner.at(-1) !== '…') inner.push('…')
  })
  const [open, close] = isList ? '[]' : '{}'
  return [`${start}${open}`, ...inner.map((line) => `  ${line}`), `${close}${comma}`]
}
