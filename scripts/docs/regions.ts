// The marked regions of a page: where they are, and the page with them filled anew.
import { MarkerError } from './problem.ts'

export type Kind = 'snippet' | 'table' | 'figure'

/** Gives the lines of a region. @throws MarkerError where it asks for what is not there */
export type Make = (kind: Kind, words: string) => string[]

export interface Filled {
  text: string
  /** What keeps regions from being filled, as `line` of the page and `what`. */
  problems: { line: number; what: string }[]
}

const opening = /^<!-- (snippet|table|figure) (.+) -->$/
const closing = /^<!-- \/(snippet|table|figure) -->$/
const marker = /^\s*<!--\s*\/?(snippet|table|figure)\b/
const fenceStart = /^ {0,3}(`{3,}|~{3,})/

/** Fills the regions of a page. What stands outside of them, and markers in fenced blocks outside of them, stay as they are. */
export function fill(text: string, make: Make): Filled {
  const lines = text.split('\n')
  const filled: string[] = []
  const problems: Filled['problems'] = []
  let fence: string | undefined
  let at = 0

  while (at < lines.length) {
    const line = lines[at]!
    filled.push(line)
    at += 1
    const mark = fenceStart.exec(line)?.[1]
    if (fence) {
      if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined
      continue
    }
    if (mark) fence = mark
    if (!marker.test(line)) continue
    const [, kind, words] = opening.exec(line) ?? []
    if (!kind) {
      problems.push({ line: at, what: strayMarker(line) })
      continue
    }
    const end = lines.findIndex((one, index) => index >= at && marker.test(one))
    if (end === -1 || closing.exec(lines[end]!)?.[1] !== kind) {
      const nested = end === -1 ? '' : ` Line ${end + 1} has "${lines[end]}", and regions do not nest.`
      problems.push({ line: at, what: `This region is not closed by <!-- /${kind} -->.${nested}` })
      continue
    }
    try {
      filled.push('', ...make(kind as Kind, words!), '', lines[end]!)
    } catch (error) {
      if (!(error instanceof MarkerError)) throw error
      problems.push({ line: at, what: error.message })
      filled.push(...lines.slice(at, end + 1))
    }
    at = end + 1
  }
  return { text: filled.join('\n'), problems }
}

const strayMarker = (line: string): string =>
  closing.test(line)
    ? `"${line}" closes a region that is not open.`
    : `"${line.trim()}" is no marker: one stands alone on its line, as <!-- snippet … --> or <!-- /snippet -->.`
