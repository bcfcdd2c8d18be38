// The links of every Markdown file: each leads to a file that is there, and to a heading that is in it.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../scripts/kit.ts'
import { pages } from './support/page.ts'

/** The lines of `page`, with those of fenced blocks empty and without code in the text. */
function prose(page: string): string[] {
  let fence = ''
  return readFileSync(join(root, page), 'utf8')
    .split('\n')
    .map((line) => {
      const [mark = ''] = /^(`{3,})/.exec(line) ?? []
      if (!mark) return fence ? '' : line.replace(/`[^`]*`/g, '')
      if (!fence) fence = mark
      else if (mark === fence) fence = ''
      return ''
    })
}

/** The anchors that GitHub gives the headings of `page`: the second of two that are alike ends in -1. */
function anchors(page: string): Set<string> {
  const found = new Set<string>()
  const text = readFileSync(join(root, page), 'utf8').split('\n')
  prose(page).forEach((line, at) => {
    if (!/^#+ /.test(line)) return
    const words = text[at]!.replace(/^#+ /, '')
      .replace(/\]\([^)]*\)/g, '')
      .toLowerCase()
    const slug = words.replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-')
    let anchor = slug
    for (let n = 1; found.has(anchor); n++) anchor = `${slug}-${n}`
    found.add(anchor)
  })
  return found
}

/** What is wrong with each link that does not leave the project: `docs/push.md:12: …`. */
const brokenIn = (page: string): string[] =>
  prose(page).flatMap((line, at) =>
    [...line.matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]*))?\)/g)].flatMap(([, path, heading]) => {
      const target = path ? normalize(join(dirname(page), path)) : page
      if (!existsSync(join(root, target))) return [`${page}:${at + 1}: there is no ${target}`]
      if (heading === undefined || (target.endsWith('.md') && anchors(target).has(heading))) return []
      return [`${page}:${at + 1}: ${target} has no heading #${heading}`]
    }),
  )

test('every link of every page leads to a file that is there, and to a heading of it', () => {
  expect(pages.length).toBeGreaterThan(20)
  expect(pages.flatMap(brokenIn)).toEqual([])
})
