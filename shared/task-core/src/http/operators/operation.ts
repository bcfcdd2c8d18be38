// An operation field by field, whatever its depth: nothing of it is left out, since an approval covers all of it.
import type { Json, Struct } from '../../protocol/index.ts'
import { type Html, html } from './html.ts'

/** Each value of `operation` with its path, such as `target.hosts[0]`. A text is shown as it is where it cannot be taken for JSON. */
export function fieldsOf(operation: Struct): [path: string, value: string][] {
  return Object.entries(operation).flatMap(([name, value]) => fieldsIn(nameOf(name), value))
}

function fieldsIn(path: string, value: Json): [string, string][] {
  if (typeof value === 'string')
    return [[path, value === '' || isJson(value) ? JSON.stringify(value) : value]]
  if (typeof value !== 'object' || value === null) return [[path, JSON.stringify(value)]]
  const inner = Array.isArray(value)
    ? value.map((one, at) => [`${path}[${at}]`, one] as const)
    : Object.entries(value).map(([name, one]) => [`${path}.${nameOf(name)}`, one] as const)
  if (inner.length === 0) return [[path, JSON.stringify(value)]]
  return inner.flatMap(([at, one]) => fieldsIn(at, one as Json))
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
  html`<dl>\n${fieldsOf(operation).map(([path, value]) => html`<dt>${path}</dt><dd>${value}</dd>\n`)}</dl>`

/** All of it in one line, for a list. */
export const inOneLine = (operation: Struct): string =>
  fieldsOf(operation)
    .map(([path, value]) => `${path}: ${value}`)
    .join(', ')
