// What the reader has done: kept in a small file beside the agents' data.
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { makeFolder } from '@a2a-kit/task-core'
import { root } from '../kit.ts'
import type { Kept } from './sitting.ts'

/** How far one tutorial is; none is kept of one that was never begun. */
export interface Reached {
  done?: boolean
  /** Where it was left; undefined after its end. */
  left?: Left
}

export interface Left {
  /** The moment that comes next. */
  moment: number
  /** The exchange that it belongs to. */
  exchange: number
  kept: Kept
  /** Tells that the capture is still the one that was played. */
  capture: string
}

export type Progress = ReturnType<typeof openProgress>

export function openProgress(env: NodeJS.ProcessEnv) {
  const folder = resolve(root, env.DATA_DIR ?? 'data')
  const file = join(folder, 'tutorial.json')
  const all = read()

  /** A file that is missing or broken is an empty one: nothing else is lost by it. */
  function read(): Record<string, Reached> {
    try {
      return JSON.parse(readFileSync(file, 'utf8')) as Record<string, Reached>
    } catch {
      return {}
    }
  }

  return {
    of: (name: string): Reached => all[name] ?? {},
    set(name: string, reached: Reached): void {
      all[name] = reached
      makeFolder(folder)
      // It holds secrets of agents that were started for a tutorial.
      writeFileSync(file, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 })
    },
  }
}
