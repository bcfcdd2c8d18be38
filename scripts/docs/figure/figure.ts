// A sequence figure: what it is made of, and the SVG that it becomes.
import { checkFigure } from './check.ts'
import { layOut } from './layout.ts'
import { toSvg } from './svg.ts'

/** Who sends to whom, step by step, with time going down. Texts may have any length: they are wrapped, never cut. */
export interface Figure {
  title: string
  /** What the figure shows, as one sentence under the title. */
  claim: string
  /** Drawn at the bottom; left out where the page carries it. */
  caption?: string
  /** What a reader who does not see the figure is told. */
  alt: string
  /** From left to right. */
  lifelines: string[]
  /** From top to bottom. */
  steps: Step[]
  /** Requests that stay open, from the step that opens one to the step that closes it. */
  open?: Open[]
  waits?: Wait[]
}

/** `outside` is plain HTTP, a request as well as its answer; the other kinds are A2A. */
export type StepKind = 'request' | 'reply' | 'frame' | 'outside'

export interface Step {
  /** The number that texts name it by; each is given once. */
  n: number
  kind: StepKind
  from: string
  to: string
  /** Such as `SendStreamingMessage: deploy build 2026.10.06-1`. */
  label: string
  /** Smaller lines under the label, such as a state or a shortened id. */
  detail?: string[]
}

/** A stream or a blocking call between the two lifelines of step `from`. */
export interface Open {
  from: number
  to: number
}

/** A lifeline that can do nothing but wait, after step `from` and until step `to`. */
export interface Wait {
  on: string
  from: number
  to: number
  /** Such as `waits for an approval`; drawn after the name of the lifeline. */
  text: string
}

/**
 * Draws a figure. The same figure gives the same text, to the byte. It is for a file and an `<img>`: its ids are the same
 * in every figure, so that two of them do not go into one page of HTML.
 *
 * @returns an SVG document that needs nothing else: it brings its colours for light and dark pages, and is 580 units wide, or more for more than five lifelines
 * @throws Error when a step, a wait or something open names a lifeline or a step that the figure does not have
 */
export function drawFigure(figure: Figure): string {
  checkFigure(figure)
  return toSvg(figure, layOut(figure))
}
