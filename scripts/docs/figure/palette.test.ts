import { expect, test } from 'vitest'
import { dark, light, type Palette, styleSheet } from './palette.ts'

const channels = (colour: string) =>
  [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)

/** Relative luminance of WCAG 2, from channels between 0 and 1. */
function luminance(values: number[]): number {
  const [r = 0, g = 0, b = 0] = values.map((value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(one: number[], other: number[]): number {
  const [less = 0, more = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (more + 0.05) / (less + 0.05)
}

/** What one sees where something open lies on `below`. */
const opened = (palette: Palette, below: number[]) =>
  channels(palette.a2a).map(
    (value, at) => value * palette.openOpacity + below[at]! * (1 - palette.openOpacity),
  )

test.each([
  ['light', light],
  ['dark', dark],
])('all text on a %s page has a contrast of 4.5 to 1 or more', (_, palette) => {
  const ground = channels(palette.ground)
  for (const colour of [palette.ink, palette.quiet, palette.a2a, palette.outside])
    expect(contrast(channels(colour), ground), colour).toBeGreaterThanOrEqual(4.5)
  expect(contrast(channels(palette.wait), channels(palette.waitGround))).toBeGreaterThanOrEqual(4.5)
})

test.each([
  ['light', light],
  ['dark', dark],
])(
  'all lines on a %s page have a contrast of 3 to 1 or more, where they cross something open too',
  (_, palette) => {
    const ground = channels(palette.ground)
    const band = channels(palette.waitGround)
    for (const below of [ground, opened(palette, ground), opened(palette, opened(palette, ground))])
      for (const colour of [palette.a2a, palette.outside, palette.waitBar])
        expect(contrast(channels(colour), below), colour).toBeGreaterThanOrEqual(3)
    expect(contrast(channels(palette.line), ground)).toBeGreaterThanOrEqual(3)
    expect(contrast(channels(palette.waitBar), band)).toBeGreaterThanOrEqual(3)
  },
)

test('the light colours need no media query, and the dark ones take their place in one', () => {
  const sheet = styleSheet.join('\n')
  const [outside = '', inside = ''] = sheet.split('@media (prefers-color-scheme: dark) {')
  const selectors = (rules: string) =>
    [...rules.matchAll(/^ *(\..+) \{.*(?:fill|stroke): #/gm)].map(([, name]) => name)
  expect(outside).toContain(light.ink)
  expect(selectors(inside)).toEqual(selectors(outside))
})

test('the style sheet asks for nothing from elsewhere', () => {
  expect(styleSheet.join('\n')).not.toMatch(/url\(|@import|@font-face/)
})
