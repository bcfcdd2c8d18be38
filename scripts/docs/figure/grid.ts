// The columns of a figure, and the pen that goes down them: lifelines at the left, the text of each step at the right.
// Text beside its arrow rather than on it needs no room between lifelines, so that it can have any length.
import { heightOf, type Style, type Text, wrap } from './text.ts'

export interface Grid {
  /** The whole width, in units. */
  width: number
  /** What is left free at each side. */
  margin: number
  /** From one lifeline to the next. */
  pitch: number
  /** Where the column of text begins, and its width. */
  text: number
  room: number
  /** Where the lifeline of that name stands. */
  xOf(name: string): number
}

const margin = 18
const usualWidth = 580
const allLifelines = 290
const narrowestPitch = 56
const widestPitch = 86
const gap = 14
const leastRoom = 200

/** @returns columns for these lifelines: the usual width for up to five of them, and more where they need it */
export function gridFor(lifelines: string[]): Grid {
  const pitch = Math.max(narrowestPitch, Math.min(widestPitch, allLifelines / lifelines.length))
  const text = margin + pitch * lifelines.length + gap
  const width = Math.max(usualWidth, text + leastRoom + margin)
  const xOf = (name: string) => margin + pitch * (lifelines.indexOf(name) + 0.5)
  return { width, margin, pitch, text, room: width - margin - text, xOf }
}

/** Goes down the figure; what it sets stands below what it set before. */
export class Pen {
  y: number

  constructor(y: number) {
    this.y = y
  }

  skip(height: number): void {
    this.y += height
  }

  set(style: Style, texts: string[], x: number, room: number, anchor: Text['anchor'] = 'start'): Text {
    const text = { style, lines: texts.flatMap((text) => wrap(text, style, room)), x, top: this.y, anchor }
    this.y += heightOf(text)
    return text
  }
}
