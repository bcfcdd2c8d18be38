// Where a value of a capture stands: the file and the line.
import { join, relative } from 'node:path'
import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser'
import type { ParsedCapture } from '../../capture/format.ts'
import type { Exchange } from '../../capture/model.ts'
import type { Path } from './compare.ts'

/** A part of an exchange; `request…` is what arrives at a webhook. */
export type Part =
  | { in: 'requestLine' | 'status' }
  | { in: 'requestHeaders' | 'headers'; path: Path }
  | { in: 'requestBody' | 'body'; path: Path }
  | { in: 'frame'; index: number; path: Path }

export interface Source {
  /** The folder of the captures. */
  folder: string
  capture: ParsedCapture
  /** Reads one of its files. */
  read(file: string): string
}

/** `file:line` of the part, or of the nearest that is there: what was added has the place of what it was added to. */
export function placeOf(
  { folder, capture, read }: Source,
  { n, request, answer }: Exchange,
  part: Part,
): string {
  const place = capture.places.get(n)!
  const file = part.in === 'frame' ? answer.events! : `${capture.name}.http`
  return `${relative(process.cwd(), join(folder, file))}:${line()}`

  function line(): number {
    switch (part.in) {
      case 'requestLine':
        return place.requestLine
      case 'status':
        return place.answer
      case 'requestHeaders':
        return place.requestLine + 1 + indexOf(request.headers, part.path)
      case 'headers':
        return place.answer + 2 + indexOf(answer.headers, part.path)
      case 'requestBody':
        return bodyLine(place.requestBody, part.path, '')
      case 'body':
        return bodyLine(place.answerBody, part.path, '# ')
      case 'frame':
        return lineOf(read(file), ['frames', part.index, ...part.path])
    }
  }

  /** The line in the body that begins in line `first` and ends before one that does not go on with JSON. */
  function bodyLine(first: number, path: Path, prefix: string): number {
    const lines = read(file)
      .split('\n')
      .slice(first - 1)
    const end = lines.findIndex((line) => line.trim() === '' || line === '#' || line.startsWith('# >>>'))
    const text = lines.slice(0, end === -1 ? undefined : end).map((line) => line.slice(prefix.length))
    return first - 1 + lineOf(text.join('\n'), path)
  }
}

const indexOf = (headers: [string, string][], [name]: Path): number =>
  headers.findIndex(([one]) => one.toLowerCase() === name)

/** The line of the value at `path`, or of the nearest above it, in the JSON `text`. */
function lineOf(text: string, path: Path): number {
  const root = parseTree(text)
  let node: Node | undefined
  for (let length = path.length; root && !node && length >= 0; length--) {
    node = findNodeAtLocation(root, path.slice(0, length))
  }
  const property = node?.parent?.type === 'property' ? node.parent : node
  return text.slice(0, property?.offset ?? 0).split('\n').length
}
