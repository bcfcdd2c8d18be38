// What came and what is recorded, line by line in one order: so that they can stand side by side.
import type { Body, Header } from '../../capture/model.ts'
import { at, type Finding, isTree, type Path } from './compare.ts'

/** A line on each side; undefined where one side has none. */
export interface Row {
  live: string | undefined
  recorded: string | undefined
  /** Whether they are the same, differ by nature, or differ. */
  kind: 'same' | 'nature' | 'fault'
}

/** The lines of two bodies, JSON in the recorded order of fields. `findings` are what `compareBodies` gave for them. */
export function rowsOf(recorded: Body, live: Body, findings: Finding[]): Row[] {
  const kinds = new Map(
    findings.map(({ path, reason }) => [JSON.stringify(path), reason ? 'nature' : 'fault']),
  )
  return rows(recorded, live, [], '', '')

  function rows(there: Body, here: Body, path: Path, lead: string, tail: string): Row[] {
    if (isTree(there) && isTree(here) && Array.isArray(there) === Array.isArray(here)) {
      const [open, close] = Array.isArray(there) ? '[]' : '{}'
      const names = [...new Set([...Object.keys(there), ...Object.keys(here)])]
      if (names.length === 0) return [same(`${lead}${open}${close}${tail}`)]
      const indent = `${/^ */.exec(lead)![0]}  `
      const inner = names.flatMap((name, index) => {
        const key = Array.isArray(there) ? '' : `${JSON.stringify(name)}: `
        const comma = index === names.length - 1 ? '' : ','
        const step = Array.isArray(there) ? Number(name) : name
        return rows(at(there, name), at(here, name), [...path, step], `${indent}${key}`, comma)
      })
      return [same(`${lead}${open}`), ...inner, same(`${indent.slice(2)}${close}${tail}`)]
    }
    const [left, right] = [here, there].map((body) => linesOf(body, lead, tail))
    const kind = kinds.get(JSON.stringify(path)) === 'nature' ? 'nature' : 'fault'
    return Array.from({ length: Math.max(left!.length, right!.length) }, (_, line) =>
      left![line] === right![line] ? same(left![line]!) : { live: left![line], recorded: right![line], kind },
    )
  }
}

/** Header fields, one in a line. */
export function headerRows(recorded: Header[], live: Header[], findings: Finding[]): Row[] {
  const names = new Set([...recorded, ...live].map(([name]) => name.toLowerCase()))
  const find = (headers: Header[], name: string) => headers.find(([one]) => one.toLowerCase() === name)
  return [...names].flatMap((name) => {
    const [there, here] = [find(recorded, name), find(live, name)].map((one) => one && `${name}: ${one[1]}`)
    const finding = findings.find(({ path }) => path[0] === name)
    if (!finding && there !== here) return []
    return [{ live: here, recorded: there, kind: !finding ? 'same' : finding.reason ? 'nature' : 'fault' }]
  })
}

const same = (line: string): Row => ({ live: line, recorded: line, kind: 'same' })

/** A text that is no JSON stands as it is. */
function linesOf(body: Body, lead: string, tail: string): string[] {
  if (body === undefined) return []
  if (lead === '' && typeof body === 'string') return body.split('\n')
  const indent = /^ */.exec(lead)![0]
  return `${lead}${JSON.stringify(body, null, 2)}${tail}`
    .split('\n')
    .map((line, at) => (at === 0 ? line : `${indent}${line}`))
}
