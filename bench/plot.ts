// The plot of the documentation: for each target that compares the kit with another server, how many times the other's figure it has.
import { container, element, rectangle } from '../scripts/docs/figure/markup.ts'
import { dark, light, type Palette } from '../scripts/docs/figure/palette.ts'
import { figure } from './report.ts'
import { nameOf, type Target } from './targets.ts'

type Compared = Target & { against: string }

const width = 740
const left = 16
/** Where the axis begins and ends; the words are at its left, the figures at its right. */
const axis = { from: 240, to: 604 }
const rowHeight = 38
const barHeight = 14

const ticks = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]

/**
 * The SVG document, for light and dark pages. It shows what has `against`; a bar begins at 1, the figure of the other server, and the axis
 * is logarithmic, so that twice and half are as far from there.
 */
export function drawPlot(targets: Target[]): string {
  const all = compared(targets)
  const groups = [
    { head: 'The more the better', rows: all.filter(({ bound }) => bound === 'at least') },
    { head: 'The less the better', rows: all.filter(({ bound }) => bound === 'at most') },
  ].filter(({ rows }) => rows.length > 0)
  const place = placesFor(all)

  const lines: string[] = []
  let y = 68
  const top = y
  for (const { head, rows } of groups) {
    lines.push(element('text', { class: 'head', x: left, y: y + 18 }, head))
    y += 34
    for (const target of rows) {
      lines.push(...row(target, y, place))
      y += rowHeight
    }
  }
  const size = { width, height: y + 40 }
  const document = container(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      class: 'speed-plot',
      role: 'img',
      'aria-labelledby': 'plot-title plot-alt',
      ...size,
      viewBox: `0 0 ${size.width} ${size.height}`,
    },
    [
      element('title', { id: 'plot-title' }, title),
      element('desc', { id: 'plot-alt' }, altText(targets)),
      ...container('style', {}, styleSheet),
      rectangle('ground', { x: 0, y: 0, ...size }, 6),
      element('text', { class: 'title', x: left, y: 30 }, title),
      element('text', { class: 'claim', x: left, y: 52 }, claim),
      ...scale(place, top, y),
      ...lines,
    ],
  )
  return `${document.join('\n')}\n`
}

const compared = (targets: Target[]) =>
  targets.filter((target): target is Compared => target.against !== undefined)

/** What the plot shows, in words. */
export const altText = (targets: Target[]): string => compared(targets).map(inWords).join(' ')

const title = 'The kit beside the official SDK and bare Fastify'
const claim =
  "The kit's figure as a multiple of the other's: bar, median of the rounds; whisker, lowest to highest; thick line, target."

const inWords = (target: Compared): string =>
  `${nameOf(target)}: ${figure(target.reached.median)} times, ${target.bound} ${figure(target.asked)} asked.`

/** How far right a multiple stands: so that all that is shown is between two ticks. */
function placesFor(targets: Compared[]) {
  const shown = [1, ...targets.flatMap(({ asked, reached: { low, high } }) => [asked, low, high])]
  const first = ticks.findLast((tick) => tick <= Math.min(...shown)) ?? ticks[0]!
  const last = ticks.find((tick) => tick >= Math.max(...shown)) ?? ticks.at(-1)!
  const perStep = (axis.to - axis.from) / Math.log(last / first)
  const x = (value: number) => axis.from + Math.log(Math.max(value, first) / first) * perStep
  return { x, marked: ticks.filter((tick) => tick >= first && tick <= last) }
}

type Places = ReturnType<typeof placesFor>

const scale = ({ x, marked }: Places, top: number, bottom: number): string[] =>
  container(
    'g',
    { class: 'scale' },
    marked.flatMap((tick) => {
      const line = { x1: x(tick), x2: x(tick), y1: top, y2: bottom }
      return [
        element('line', { class: tick === 1 ? 'one' : 'rule', ...line }),
        element('text', { class: 'tick', x: x(tick), y: bottom + 18 }, tick === 1 ? 'the same' : `${tick}×`),
      ]
    }),
  )

function row({ what, against, asked, aim, reached, ok }: Compared, y: number, { x }: Places): string[] {
  const { median, low, high } = reached
  const middle = y + 14
  const [from, to] = [x(Math.min(1, median)), x(Math.max(1, median))]
  const bar = { x: from, y: middle - barHeight / 2, width: to - from, height: barHeight }
  const whisker = `M${x(low).toFixed(1)} ${middle} H${x(high).toFixed(1)} ${cap(x(low), middle)} ${cap(x(high), middle)}`
  const words = `asked ${figure(asked)}${aim === undefined ? '' : `, aim ${figure(aim)}`}`
  return container('g', { class: ok ? 'reached' : 'missed' }, [
    element('text', { class: 'what', x: left, y: middle }, what),
    element('text', { class: 'against', x: left, y: middle + 15 }, `kit / ${against}`),
    rectangle('bar', bar),
    element('path', { class: 'whisker', d: whisker }),
    element('line', { class: 'target', x1: x(asked), x2: x(asked), y1: middle - 13, y2: middle + 13 }),
    element(
      'text',
      { class: 'what', x: axis.to + 16, y: middle },
      `${figure(median)}× ${ok ? 'reached' : 'missed'}`,
    ),
    element('text', { class: 'against', x: axis.to + 16, y: middle + 15 }, words),
  ])
}

const cap = (x: number, y: number): string => `M${x.toFixed(1)} ${y - 4} V${y + 4}`

const colours = (palette: Palette): string[] => [
  `.speed-plot .ground { fill: ${palette.ground} }`,
  `.speed-plot .title, .speed-plot .head, .speed-plot .what { fill: ${palette.ink} }`,
  `.speed-plot .claim, .speed-plot .against, .speed-plot .tick { fill: ${palette.quiet} }`,
  `.speed-plot .rule { stroke: ${palette.rule} }`,
  `.speed-plot .one { stroke: ${palette.line} }`,
  `.speed-plot .reached .bar { fill: ${palette.a2a} }`,
  `.speed-plot .missed .bar { fill: ${palette.outside} }`,
  `.speed-plot .whisker { stroke: ${palette.ink} }`,
  `.speed-plot .target { stroke: ${palette.waitBar} }`,
]

const sans = "'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', sans-serif"

const styleSheet: string[] = [
  `.speed-plot .title { font: bold 18px ${sans} }`,
  `.speed-plot .claim { font: 12px ${sans} }`,
  `.speed-plot .head { font: bold 12.5px ${sans} }`,
  `.speed-plot .what { font: 13px ${sans} }`,
  `.speed-plot .against { font: 11.5px ${sans} }`,
  `.speed-plot .tick { font: 11.5px ${sans}; text-anchor: middle }`,
  '.speed-plot .bar { fill-opacity: 0.5 }',
  '.speed-plot .whisker { fill: none; stroke-width: 1.2 }',
  '.speed-plot .target { stroke-width: 3 }',
  ...colours(light),
  '@media (prefers-color-scheme: dark) {',
  ...colours(dark).map((rule) => `  ${rule}`),
  '}',
]
