import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readXml } from '../../../tests/support/xml.ts'
import { anyFigure } from './arbitrary.ts'
import { deploy, planner } from './examples.ts'
import { drawFigure, type Figure } from './figure.ts'

/** The lines of a step's group. */
function groupOf(svg: string, n: number): string {
  const [, group] = new RegExp(`<g id="step-${n}" [^>]*>\n(.*?)\n  </g>`, 's').exec(svg) ?? []
  return group ?? ''
}

const textsOf = (svg: string, style: string): string[] =>
  [...svg.matchAll(new RegExp(`<text class="${style}(?: middle)?"[^>]*>([^<]*)</text>`, 'g'))].map(
    ([, text]) => text!,
  )

test.each([
  ['the deploy', deploy],
  ['the planner', planner],
])(
  'each step of %s has its number, its text, and an arrow from the one lifeline to the other',
  (_, figure: Figure) => {
    const svg = drawFigure(figure)
    const lines = [...svg.matchAll(/class="lifeline" x="([\d.]+)"/g)].map(([, x]) => Number(x) + 0.5)
    const xOf = (name: string) => lines[figure.lifelines.indexOf(name)]!
    for (const { n, from, to, label, detail = [] } of figure.steps) {
      const group = groupOf(svg, n)
      expect(textsOf(group, 'number')).toEqual([String(n)])
      expect(textsOf(group, 'label').join(' ')).toBe(label)
      expect(textsOf(group, 'detail').join(' ')).toBe(detail.join(' '))
      const [, start, end] = /class="arrow" d="M([\d.]+) [\d.]+ H([\d.]+)/.exec(group) ?? []
      const tip = /class="tip" d="M[\d.]+ [\d.]+ L([\d.]+)/.exec(group)?.[1] ?? end
      expect(Number(start)).toBe(xOf(from))
      expect(Math.abs(Number(tip) - xOf(to))).toBeLessThanOrEqual(4)
    }
  },
)

test('the kind of a step is the class of its group', () => {
  const svg = drawFigure(deploy)
  for (const { n, kind } of deploy.steps) expect(svg).toContain(`<g id="step-${n}" class="${kind}">`)
})

test('title, claim, names and waits are drawn; a caption only where there is one', () => {
  const svg = drawFigure(planner)
  expect(textsOf(svg, 'title').join(' ')).toBe(planner.title)
  expect(textsOf(svg, 'claim').join(' ')).toBe(planner.claim)
  expect(textsOf(svg, 'head').slice(0, 4)).toEqual(['client', 'client', 'planner', 'planner'])
  expect(textsOf(svg, 'wait')[0]).toBe('code-reviewer waits for an answer')
  expect(textsOf(svg, 'caption')).toEqual([])
  expect(textsOf(drawFigure(deploy), 'caption').join(' ')).toBe(deploy.caption)
})

test('who does not see the figure is told its title and its alternative text', () => {
  const svg = drawFigure(deploy)
  expect(svg).toMatch(/^<svg [^>]*role="img" aria-labelledby="figure-title figure-alt"/)
  expect(svg).toContain(`<title id="figure-title">${deploy.title}</title>`)
  expect(svg).toContain(`<desc id="figure-alt">${deploy.alt}</desc>`)
})

test('markup in a text stays text', () => {
  const title = '</title><script>alert("1 & 2")</script>'
  const svg = drawFigure({ ...deploy, title })
  expect(svg).not.toContain('<script>')
  expect(svg).toContain('&lt;/title&gt;&lt;script&gt;alert(&quot;1 &amp; 2&quot;)&lt;/script&gt;')
})

test('a character that XML has no place for is shown as one that is missing', () => {
  expect(drawFigure({ ...deploy, alt: 'a\u0001b\ud800c\ufffed' })).toContain('>a\ufffdb\ufffdc\ufffdd</desc>')
})

test('any figure is well-formed XML with the same bytes each time, rounded, and without half characters', () => {
  fc.assert(
    fc.property(anyFigure, (figure) => {
      const svg = drawFigure(figure)
      expect(readXml(svg)).toContain('svg')
      expect(drawFigure(structuredClone(figure))).toBe(svg)
      expect(svg.isWellFormed()).toBe(true)
      expect(svg).not.toMatch(/ (?:x|y|width|height|d|cx|cy)="[^"]*(?:\.\d\d|NaN|Infinity)/)
    }),
  )
})

test('a figure that does not fit together is not drawn', () => {
  expect(() => drawFigure({ ...deploy, lifelines: ['client', 'deployer'] })).toThrow(/names "operator"/)
})
