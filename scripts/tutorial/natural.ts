// What may differ between a capture and the same exchange here, each with its reason. Everything else is a difference.
import type { Json } from '@a2a-kit/task-core'
import type { Twins } from './twins.ts'

/** Of a part of a text. */
export interface Nature {
  /** What the reader is told. */
  reason: string
  /** How it looks in a text. */
  pattern: string
  /** Whether the live one may stand for the recorded one, given what was seen before. */
  agree(recorded: string, live: string, twins: Twins): boolean
}

const pair = (recorded: string, live: string, twins: Twins) => twins.pair(recorded, live)
const before = 'what was deployed there before'
const time = (recorded: string, live: string, twins: Twins) => {
  twins.time(recorded, live)
  return true
}

/** Anywhere in a text. Of two that match, the first counts. */
export const natures: Nature[] = [
  {
    reason: 'an id that is made anew',
    pattern: '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}',
    agree: pair,
  },
  {
    reason: 'a time: a capture has a clock of its own',
    pattern: '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z',
    agree: time,
  },
  {
    reason: 'a time: a capture has a clock of its own',
    pattern: '[A-Z][a-z]{2}, \\d\\d [A-Z][a-z]{2} \\d{4} \\d\\d:\\d\\d:\\d\\d GMT',
    agree: time,
  },
  {
    reason: 'a release is named after the id of its task',
    pattern: '(?<=/releases/[\\w.-]+-)[0-9a-f]{12}',
    agree: pair,
  },
  {
    reason: 'where an agent listens here',
    pattern: 'localhost:\\d{4,5}',
    agree: pair,
  },
  {
    reason: before,
    pattern: 'as the first build there|in place of [\\w.-]*\\w|as it was before',
    agree: () => true,
  },
]

/** Of a whole value. */
export interface ValueNature {
  reason: string
  agree(recorded: Json, live: Json, twins: Twins): boolean
}

const texts = (recorded: Json, live: Json, pattern: RegExp): boolean =>
  [recorded, live].every((value) => typeof value === 'string' && pattern.test(value))

/** By the name of the field or header. */
export const valueNatures: Record<string, ValueNature> = {
  previousBuild: {
    reason: before,
    agree: (...values) => values.slice(0, 2).every((value) => value === null || typeof value === 'string'),
  },
  nextPageToken: {
    reason: 'a place in a list, which only the agent reads',
    agree: (recorded, live, twins) => texts(recorded, live, /./) && twins.pair(`${recorded}`, `${live}`),
  },
  etag: {
    reason: 'a digest of something with addresses in it',
    agree: (recorded, live, twins) =>
      texts(recorded, live, /^"[^"]+"$/) && twins.pair(`${recorded}`, `${live}`),
  },
  signature: {
    reason: 'it signs addresses too',
    agree: (recorded, live) => texts(recorded, live, /^[\w-]{80,}$/),
  },
}
