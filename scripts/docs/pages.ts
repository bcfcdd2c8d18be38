// The documentation as it should be: each page with its regions filled, and the figures that the pages show.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ParsedCapture } from '../../capture/format.ts'
import { draw, figureLines, figureNamed, figures, fileOf } from './figures.ts'
import { listed, MarkerError } from './problem.ts'
import { fill, type Kind } from './regions.ts'
import { snippet } from './snippet.ts'
import { errorsTable } from './tables/errors.ts'
import { statesTable } from './tables/states.ts'
import { streamsTable } from './tables/streams.ts'
import { transitionsTable } from './tables/transitions.ts'

export interface Documentation {
  /** Texts by path from the project's folder: pages, and then figures. */
  files: Map<string, string>
  /** What is wrong with markers: `docs/two-waits.md:12: …`. */
  problems: string[]
}

const tables = {
  states: statesTable,
  errors: errorsTable,
  transitions: transitionsTable,
  streams: streamsTable,
}

/** The pages that may have regions, by path from `root`. */
export const pagesIn = (root: string): string[] =>
  globSync(['*.md', 'capture/*.md', 'docs/**/*.md'], { cwd: root }).sort()

export function makeDocumentation(root: string, captures: ParsedCapture[]): Documentation {
  const pages = new Map<string, string>()
  const drawn = new Map<string, string>()
  const problems: string[] = []

  function lines(page: string, kind: Kind, words: string): string[] {
    if (kind === 'snippet') return snippet(captures, words, page)
    if (kind === 'figure') {
      const figure = figureNamed(captures, words)
      drawn.set(fileOf(figure), draw(captures, figure))
      return figureLines(figure, page)
    }
    const make = Object.entries(tables).find(([name]) => name === words)?.[1]
    if (!make) throw new MarkerError(`There is no table ${words}. There is: ${listed(Object.keys(tables))}.`)
    return make(captures, page)
  }

  for (const page of pagesIn(root)) {
    const filled = fill(readFileSync(join(root, page), 'utf8'), (kind, words) => lines(page, kind, words))
    pages.set(page, filled.text)
    problems.push(...filled.problems.map(({ line, what }) => `${page}:${line}: ${what}`))
  }
  for (const figure of figures) {
    if (!drawn.has(fileOf(figure)))
      problems.push(`scripts/docs/figures.ts: No page shows the figure ${figure.name}.`)
  }
  return { files: new Map([...pages, ...drawn]), problems }
}
