// Which captures there are, and where their scenarios and files stand.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Scenario } from './story.ts'

/** Where the captures stand. */
export const outFolder = join(import.meta.dirname, 'out')
const scenarioFolder = join(import.meta.dirname, 'scenarios')

/** The names of all captures, in order. */
export const captureNames = (): string[] =>
  readdirSync(scenarioFolder)
    .flatMap((file) => /^(\d\d-[\w-]+)\.ts$/.exec(file)?.[1] ?? [])
    .sort()

/** The path of a scenario's file. */
export const fileOfScenario = (name: string): string => join(scenarioFolder, `${name}.ts`)

/** @throws Error where its file exports none */
export async function loadScenario(name: string): Promise<Scenario> {
  const file = (await import(fileOfScenario(name))) as { default?: Scenario }
  if (file.default) return file.default
  throw new Error('Nothing is exported as default, and that must be a scenario.')
}

/** The text of a file in `capture/out`. */
export const readOut = (file: string): string => readFileSync(join(outFolder, file), 'utf8')
