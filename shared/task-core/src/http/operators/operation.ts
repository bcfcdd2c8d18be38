// An operation field by field, whatever its depth: nothing of it is left out, since an approval covers all of it.
import type { Json, Struct } from '../../protocol/index.ts'
import { type Html, html } from './html.ts'

/** Each value of `operation` with its path, such as `target.hosts[0]`. A text is shown as it is where it cannot be taken for JSON. */
export function* fieldsOf(operation: Struct): Generator<[path: string, value: string]> {
  for (const [name, value] of Object.entries(operation)) yield* fieldsIn(nameOf(name), value)
}

function* fieldsIn(path: string, value: Json): Generator<[string, string]> {
  if (typeof value === 'string')
    return yield [path, value === '' || isJson(value) ? JSON.stringify(value) : value]
  if (typeof value !== 'object' || value === null) return yield [path, JSON.stringify(value)]
  const names = Object.keys(value)
  if (names.length === 0) return yield [path, JSON.stringify(value)]
  for (const name of names) {
    const at = Array.isArray(value) ? `${path}[${name}]` : `${path}.${nameOf(name)}`
    yield* fieldsIn(at, (value as Struct)[name]!)
  }
}

/** The text `true` is another operation than true, so it must look like one. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** A name that could be taken for something else is quoted. */
const nameOf = (name: string): string => (/^[\w-]+$/.test(name) ? name : JSON.stringify(name))

export const operationList = (operation: Struct): Html =>
  html`<dl>\n${[...fieldsOf(operation)].map(([path, value]) => html`<dt>${path}</dt><dd>${value}</dd>\n`)}</dl>`

/** All of it in one line, for a list, or its first `most` characters. No more is put together than that, however much it is. */
export function inOneLine(operation: Struct, most: number): string {
  let line = ''
  for (const [path, value] of fieldsOf(operation)) {
    line += `${line && ', '}${path.slice(0, most)}: ${value.slice(0, most + 1)}`
    if (line.length > most) return `${line.slice(0, most)}…`
  }
  return line
}
