// The captures that can be played, from their files.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { shown } from '../../capture/compare.ts'
import { FormatError, parse } from '../../capture/format.ts'
import type { Seats } from '../../capture/kit.ts'
import { type Scenario, seatsOf } from '../../capture/story.ts'
import { root } from '../kit.ts'
import type { Source } from './places.ts'

export const captureFolder = join(root, 'capture/out')

/**
 * The names of the captures in `folder` that `words` mean, `6` and `06` like `06-input-required`; all without words.
 * @throws Error for a word that means none
 */
export function namesFor(words: string[], folder: string): string[] {
  const all = readdirSync(folder)
    .flatMap((file) => /^(\d\d-[\w-]+)\.http$/.exec(file)?.[1] ?? [])
    .sort()
  const isFor = (word: string, name: string) => name === word || name.startsWith(`${word.padStart(2, '0')}-`)
  const unknown = words.find((word) => !all.some((name) => isFor(word, name)))
  if (unknown !== undefined) {
    throw new Error(`There is no tutorial ${unknown}. There are:\n  ${all.join('\n  ')}`)
  }
  return all.filter((name) => words.length === 0 || words.some((word) => isFor(word, name)))
}

/** @throws FormatError if its files are not what captures are */
export function load(name: string, folder: string): Source {
  const read = (file: string) => readFileSync(join(folder, file), 'utf8')
  try {
    return { folder, capture: parse(name, read), read }
  } catch (error) {
    if (error instanceof FormatError) error.message = `${shown(folder)}/${error.message}`
    throw error
  }
}

/** The agents that the capture needs, as its scenario has them; `secret` gives the value of a secret. */
export async function seatsFor(name: string, secret: (name: string) => string): Promise<Seats> {
  const scenario = (await import(join(root, `capture/scenarios/${name}.ts`))) as { default: Scenario }
  return seatsOf(scenario.default, secret)
}
