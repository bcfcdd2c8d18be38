// Elements of SVG as lines of text: escaped, indented, numbers rounded.
import { type Box, baseline, type Text } from './text.ts'

type Attributes = { [name: string]: string | number }

const entities: { [character: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** What XML 1.0 has no place for becomes U+FFFD, also half a surrogate pair. */
const escaped = (text: string): string =>
  text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/[&<>"]/g, (character) => entities[character]!)

/** To a tenth of a unit, which is finer than a screen shows. */
export const round = (value: number): number => Math.round(value * 10) / 10

const write = (attributes: Attributes): string =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${typeof value === 'number' ? round(value) : escaped(value)}"`)
    .join('')

export const element = (name: string, attributes: Attributes, text?: string): string =>
  text === undefined
    ? `<${name}${write(attributes)}/>`
    : `<${name}${write(attributes)}>${escaped(text)}</${name}>`

export const container = (name: string, attributes: Attributes, lines: string[]): string[] => [
  `<${name}${write(attributes)}>`,
  ...lines.map((line) => `  ${line}`),
  `</${name}>`,
]

export const rectangle = (className: string, box: Box, radius = 0): string =>
  element('rect', { class: className, ...box, ...(radius > 0 && { rx: radius }) })

/** One element for each line that says something. */
export const text = (text: Text): string[] =>
  text.lines.flatMap((line, at) => {
    if (line === '') return []
    const className = text.anchor === 'middle' ? `${text.style} middle` : text.style
    return [element('text', { class: className, x: text.x, y: baseline(text, at) }, line)]
  })
