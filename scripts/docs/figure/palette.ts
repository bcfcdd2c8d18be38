// The colours of a figure on light and on dark pages, and the style sheet made of them.
import { type Style, styles } from './text.ts'

export interface Palette {
  ground: string
  ink: string
  quiet: string
  line: string
  a2a: string
  outside: string
  /** Behind what waits, its words, and the bar on its lifeline. */
  waitGround: string
  wait: string
  waitBar: string
  /** How much of the colour of A2A what is open has. */
  openOpacity: number
  /** Between rows. */
  rule: string
}

export const light: Palette = {
  ground: '#fdfdfb',
  ink: '#1f2730',
  quiet: '#55606c',
  line: '#818c98',
  a2a: '#1f5f9e',
  outside: '#8a3a7e',
  waitGround: '#fbf0d6',
  wait: '#6e4b00',
  waitBar: '#a06c04',
  openOpacity: 0.12,
  rule: '#eceeee',
}

export const dark: Palette = {
  ground: '#161a1f',
  ink: '#e4e8ec',
  quiet: '#a6b0bb',
  line: '#6f7b88',
  a2a: '#80b6ee',
  outside: '#e09ad4',
  waitGround: '#352b14',
  wait: '#f0d28c',
  waitBar: '#cf9f35',
  openOpacity: 0.2,
  rule: '#252b32',
}

const families = {
  mono: "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace",
  sans: "'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', sans-serif",
}

const colours = (palette: Palette): string[] => [
  `.sequence-figure .ground { fill: ${palette.ground} }`,
  `.sequence-figure .title, .sequence-figure .head, .sequence-figure .label { fill: ${palette.ink} }`,
  `.sequence-figure .claim, .sequence-figure .detail, .sequence-figure .legend, .sequence-figure .caption { fill: ${palette.quiet} }`,
  `.sequence-figure .lifeline { fill: ${palette.line} }`,
  `.sequence-figure .arrow { stroke: ${palette.a2a} }`,
  `.sequence-figure .open, .sequence-figure .tip, .sequence-figure .pill { fill: ${palette.a2a} }`,
  `.sequence-figure .open { fill-opacity: ${palette.openOpacity} }`,
  `.sequence-figure .rule { fill: ${palette.rule} }`,
  `.sequence-figure .number { fill: ${palette.ground} }`,
  `.sequence-figure .frame .pill { fill: ${palette.ground}; stroke: ${palette.a2a} }`,
  `.sequence-figure .frame .number { fill: ${palette.a2a} }`,
  `.sequence-figure .outside .arrow { stroke: ${palette.outside} }`,
  `.sequence-figure .outside .tip, .sequence-figure .outside .pill { fill: ${palette.outside} }`,
  `.sequence-figure .band { fill: ${palette.waitGround} }`,
  `.sequence-figure .bar { fill: ${palette.waitBar} }`,
  `.sequence-figure .wait { fill: ${palette.wait} }`,
]

const fonts = (Object.keys(styles) as Style[]).map((name) => {
  const { family, size, bold } = styles[name]
  return `.sequence-figure .${name} { font: ${bold ? 'bold ' : ''}${size}px ${families[family]} }`
})

/** One rule a line. Light is what holds where nothing asks for dark, or nothing can. */
export const styleSheet: string[] = [
  ...fonts,
  '.sequence-figure .middle { text-anchor: middle }',
  '.sequence-figure .arrow { fill: none; stroke-width: 1.5 }',
  '.sequence-figure .outside .arrow { stroke-dasharray: 5 3 }',
  ...colours(light),
  '@media (prefers-color-scheme: dark) {',
  ...colours(dark).map((rule) => `  ${rule}`),
  '}',
]
