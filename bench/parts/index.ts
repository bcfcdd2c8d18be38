// The parts of the benchmark by name.
import { chunks } from './chunks.ts'
import { get } from './get.ts'
import { send } from './send.ts'

export const parts = { send, get, chunks }

export type PartName = keyof typeof parts
export const partNames = Object.keys(parts) as PartName[]
