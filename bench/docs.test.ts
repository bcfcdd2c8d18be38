import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../scripts/kit.ts'
import { readXml } from '../tests/support/xml.ts'
import { diskNote, syncTime } from './disk.ts'
import { filled } from './docs.ts'
import { drawPlot } from './plot.ts'
import { recordOf } from './record.ts'
import type { Table } from './report.ts'
import { spread } from './rounds.ts'
import { atLeast, atMost } from './targets.ts'

const targets = [
  atLeast({
    what: 'Sent',
    against: 'SDK in memory',
    asked: 2.5,
    aim: 3,
    unit: 'times',
    reached: spread([2, 1, 4]),
  }),
  atMost({ what: 'Kept <"&">', against: 'bare Fastify', asked: 1.15, unit: 'times', reached: 1.1 }),
  atMost({ what: 'Start', asked: 0.5, unit: 's', reached: 0.4 }),
]
const table: Table = {
  title: 'SendMessage',
  columns: ['requests/s', 'busy'],
  rows: [{ name: 'kit', values: [spread([5000, 4000, 6000]), null] }],
  verdict: 'It was busy.',
}
const options = { help: false, parts: [], seconds: 2, rounds: 5, quick: false, docs: true, strict: false }
const record = recordOf(
  [{ part: 'send', tables: [table], targets }],
  { ...options, out: '', profileTo: undefined },
  { note: 'The load had a core.', syncMs: 0.1432 },
)
const page = '# Speed\n\n<!-- speed -->\nold\n<!-- /speed -->\n\nafter\n'

test('a run fills the region of the page, and leaves what is around it', () => {
  const text = filled(page, record)
  expect(text).toMatch(/^# Speed\n\n<!-- speed -->\nMeasured on .*\n<!-- \/speed -->\n\nafter\n$/s)
  expect(text).not.toContain('old')
  expect(text).toMatch(/^Measured on .* A sync of 4 KiB to the disk takes 0.143 ms. The load had a core.$/m)
  expect(text).toMatch(
    /\| Sent: kit \/ SDK in memory +\| at least 2.5 times, aim 3 +\| 2 \(1 - 4\) +\| missed +\|/,
  )
  expect(text).toMatch(/\| Start +\| at most 0.5 s +\| 0.4 +\| reached +\|/)
  expect(text).toMatch(
    /SendMessage:\n\n\| +\| requests\/s.*\| kit +\| 5,000 \(4,000 - 6,000\) +\| - +\|\n\nIt was busy\./s,
  )
  expect(filled(text, record)).toBe(text)
})

test('a sync that is faster than a disk is said to be none', async () => {
  expect(diskNote(0.0021)).toMatch(
    /^A sync of 4 KiB to the disk takes 0\.0021 ms: what is below \S+ may be no disk\.$/,
  )
  expect(await syncTime()).toBeGreaterThan(0)
})

test('a page without the region is not touched', () => {
  expect(() => filled('# Speed\n', record)).toThrow('docs/speed.md has no region')
})

test('a record has the versions of all that the figures depend on', () => {
  expect(Object.entries(record.versions)).toHaveLength(9)
  for (const [name, version] of Object.entries(record.versions))
    expect(version, name).toMatch(/^\d+\.\d+\.\d+$/)
})

test('the plot is well-formed, and shows each comparison with who it is with, what was reached and what was asked', () => {
  const svg = drawPlot(targets)
  expect(readXml(svg)).toContain('svg')
  const texts = [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text]) => text)
  expect(texts).toEqual(
    expect.arrayContaining(['Sent', 'kit / SDK in memory', '2× missed', 'asked 2.5, aim 3', '1.1× reached']),
  )
  expect(texts).toEqual(expect.arrayContaining(['Kept &lt;&quot;&amp;&quot;&gt;', 'kit / bare Fastify']))
  expect(texts).not.toContain('Start')
  expect(svg).not.toMatch(/NaN|Infinity/)
})

test('the bars begin at the same, and twice as much is as far from there as half', () => {
  const of = (reached: number) => atLeast({ what: 'x', against: 'y', asked: 2, unit: 'times', reached })
  const bars = drawPlot([of(4), of(2), of(0.5)]).matchAll(
    /class="bar" x="([^"]*)" y="[^"]*" width="([^"]*)"/g,
  )
  const [four, two, half] = [...bars].map(([, x, width]) => ({ x: Number(x), width: Number(width) }))
  expect(four!.x).toBe(two!.x)
  expect(four!.width).toBeCloseTo(2 * two!.width, 0)
  expect(half!.width).toBe(two!.width)
  expect(half!.x + half!.width).toBeCloseTo(two!.x, 0)
})

test('the page shows the plot with what it shows in words', () => {
  const [, shown] = /!\[([^\]]*)\]\(speed\.svg\)/.exec(readFileSync(join(root, 'docs/speed.md'), 'utf8'))!
  const [, described] = /<desc[^>]*>([^<]*)</.exec(readFileSync(join(root, 'docs/speed.svg'), 'utf8'))!
  expect(described).toBe(shown)
})
