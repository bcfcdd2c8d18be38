// The parts of the benchmark by name, in the order in which they run.
import { chunks } from './chunks.ts'
import { fanout } from './fanout.ts'
import { get } from './get.ts'
import { idle } from './idle.ts'
import { latency } from './latency.ts'
import { left } from './left.ts'
import type { Part } from './part.ts'
import { send } from './send.ts'
import { start } from './start.ts'
import { stored } from './stored.ts'
import { stream } from './stream.ts'

export const parts = {
  send,
  get,
  stream,
  latency,
  idle,
  fanout,
  left,
  chunks,
  stored,
  start,
} satisfies Record<string, Part>

export type PartName = keyof typeof parts
export const partNames = Object.keys(parts) as PartName[]
