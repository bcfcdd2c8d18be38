// Text as it is set: its styles, how wide it gets at most, and where its lines break.

/** Each kind of text in a figure; sizes in units of the drawing. */
export const styles = {
  title: { family: 'sans', size: 18, leading: 24, bold: true },
  claim: { family: 'sans', size: 13.5, leading: 19, bold: false },
  head: { family: 'mono', size: 10.5, leading: 14, bold: true },
  number: { family: 'mono', size: 10.5, leading: 19, bold: true },
  label: { family: 'mono', size: 13, leading: 18, bold: false },
  detail: { family: 'mono', size: 12, leading: 16, bold: false },
  wait: { family: 'mono', size: 11.5, leading: 16, bold: true },
  legend: { family: 'sans', size: 11.5, leading: 16, bold: false },
  caption: { family: 'sans', size: 12, leading: 17, bold: false },
} as const

export type Style = keyof typeof styles

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** Lines of one style below each other: `x` is where they begin, or their middle, and `top` the upper edge of the first. */
export interface Text {
  style: Style
  lines: string[]
  x: number
  top: number
  anchor: 'start' | 'middle'
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
const split = (text: string) => [...graphemes.segment(text)].map(({ segment }) => segment)

/** Latin, Greek and Cyrillic, with the marks on them, and punctuation: all else may be twice as wide. */
const narrow = /^[\u0020-\u052f\u2010-\u205f]\p{M}*$/u

/** The widest that letters of sans fonts are, in em, by kind of letter; the first kind that has the letter counts. */
const sansWidths: [RegExp, number][] = [
  [/[ ijlI.,:;'|]/, 0.34],
  [/[frt()[\]{}/\\!"*-]/, 0.5],
  [/[mwMW@%]|[^ -~]/, 1.02],
  [/[A-Z&+<=>~^]/, 0.84],
  [/./, 0.64],
]

/** @returns the most that a character takes in the usual fonts, in em */
function widthOf(grapheme: string, { family, bold }: (typeof styles)[Style]): number {
  if (!narrow.test(grapheme)) return 1.3
  if (family === 'mono') return 0.62
  const [, width] = sansWidths.find(([letters]) => letters.test(grapheme))!
  return bold ? width * 1.12 : width
}

/** @returns the most units that a line of `text` takes */
export function measure(text: string, style: Style): number {
  const used = styles[style]
  return split(text).reduce((sum, grapheme) => sum + widthOf(grapheme, used) * used.size, 0)
}

/**
 * Breaks a text into lines of at most `room` units: between words, and inside a word that is longer than a line, where
 * a name or an address has its joints, else between two characters.
 */
export function wrap(text: string, style: Style, room: number): string[] {
  const fits = (line: string) => measure(line, style) <= room
  const lines: string[] = []
  let line = ''
  const add = (piece: string, space: string) => {
    if (line !== '' && !fits(line + space + piece)) {
      lines.push(line)
      line = ''
    }
    line += line === '' ? piece : space + piece
  }
  for (const word of text.split(/[\s\p{Cc}]+/u).filter((word) => word !== '')) {
    if (fits(word)) {
      add(word, ' ')
      continue
    }
    let space = ' '
    for (const part of word.split(/(?<=[-/_.:,;=?&@])|(?<=[a-z])(?=[A-Z])/u))
      for (const piece of fits(part) ? [part] : split(part)) {
        add(piece, space)
        space = ''
      }
  }
  return [...lines, line]
}

export const heightOf = ({ style, lines }: Text): number => lines.length * styles[style].leading

/** @returns where the foot of the letters of line `at` stands */
export const baseline = ({ style, top }: Text, at: number): number =>
  top + (at + 0.5) * styles[style].leading + 0.35 * styles[style].size

/** @returns the room that each line takes at most */
export const boxesOf = ({ style, lines, x, top, anchor }: Text): Box[] =>
  lines.map((line, at) => {
    const width = measure(line, style)
    const height = styles[style].leading
    return { x: anchor === 'start' ? x : x - width / 2, y: top + at * height, width, height }
  })
