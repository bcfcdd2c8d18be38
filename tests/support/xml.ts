// Reads XML as strictly as a browser does, for the figures that the project draws.
import { expect } from 'vitest'

/** The names of the tags. Throws unless elements are nested as they should be, and all between them is escaped. */
export function readXml(svg: string): string[] {
  const open: string[] = []
  const tag = /<(\/?)([a-z]+)((?: [A-Za-z][\w-]*="[^"<&]*(?:&[a-z]+;[^"<&]*)*")*)(\/?)>/y
  const text = /(?:[^<&>]|&(?:amp|lt|gt|quot);)+/y
  const names: string[] = []
  for (let at = 0; at < svg.length; ) {
    tag.lastIndex = text.lastIndex = at
    const found = tag.exec(svg)
    const [, closes, name, , empty] = found ?? []
    if (found !== null) {
      names.push(name!)
      if (closes) expect(open.pop()).toBe(name)
      else if (!empty) open.push(name!)
    } else if (text.exec(svg) === null) throw new Error(`No XML here: ${svg.slice(at, at + 40)}`)
    at = Math.max(tag.lastIndex, text.lastIndex)
  }
  expect(open).toEqual([])
  return names
}
