// Holds each thing that comes in a play against its place in the capture.
import type { Exchange, Frame } from '../../capture/model.ts'
import { compareBodies, compareHeaders, type Finding } from './compare.ts'
import type { Part } from './places.ts'
import type { Delivery } from './receiver.ts'
import type { Twins } from './twins.ts'
import type { LiveAnswer, LiveFrame } from './wire.ts'

export interface PartFinding extends Finding {
  part: Part
}

type PartWithPath = Extract<Part, { path: unknown }>['in']

const within = (part: Exclude<PartWithPath, 'frame'>, findings: Finding[]): PartFinding[] =>
  findings.map((finding) => ({ ...finding, part: { in: part, path: finding.path } }))

const value = (part: 'requestLine' | 'status', recorded: string, live: string): PartFinding[] =>
  recorded === live ? [] : [{ part: { in: part }, path: [], recorded, live }]

/** Of a stream, only how it begins. */
export function judgeAnswer({ answer }: Exchange, live: LiveAnswer, twins: Twins): PartFinding[] {
  return [
    ...value('status', String(answer.status), String(live.status)),
    ...within('headers', compareHeaders(answer.headers, live.headers, twins)),
    ...within('body', compareBodies(answer.body, live.body, twins)),
  ]
}

/** `live` is undefined if it did not come. */
export function judgeFrame(
  recorded: Frame,
  index: number,
  live: LiveFrame | undefined,
  twins: Twins,
): PartFinding[] {
  const { atMs: _, ...frame } = recorded
  const findings = compareBodies(frame, live && { ...live }, twins)
  return findings.map((finding) => ({ ...finding, part: { in: 'frame', index, path: finding.path } }))
}

/** `live` is undefined if it did not come. */
export function judgeDelivery(
  { request }: Exchange,
  live: Delivery | undefined,
  twins: Twins,
): PartFinding[] {
  const line = `${request.method} ${request.url}`
  if (!live) return [{ part: { in: 'requestLine' }, path: [], recorded: line, live: undefined }]
  return [
    ...value('requestLine', line, `${live.method} {{webhook}}${live.path}`),
    ...within('requestHeaders', compareHeaders(request.headers, live.headers, twins)),
    ...within('requestBody', compareBodies(request.body, live.body, twins)),
  ]
}

/** How a stream ended, that the client did not leave; `frames` is undefined if it did not end. */
export function judgeEnd({ answer }: Exchange, frames: number | undefined): PartFinding[] {
  const live = frames === undefined ? 'a stream that does not end' : `${frames} frames`
  return value('status', `${answer.frames!.length} frames`, live)
}
