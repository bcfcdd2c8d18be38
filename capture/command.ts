// The command `npm run capture`: which captures are made, and what becomes of their files.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createTwoFilesPatch } from 'diff'
import { type Files, write } from './format.ts'
import { play } from './play.ts'
import type { Scenario } from './story.ts'

export const outFolder = join(import.meta.dirname, 'out')
const scenarioFolder = join(import.meta.dirname, 'scenarios')

const help = `npm run capture                 plays every scenario and writes capture/out
npm run capture -- 07 12        only these
npm run capture -- --check      writes nothing, and fails where capture/out is not what the kit gives
npm run capture -- --help       this text`

/** The names of all captures, in order. */
export const captureNames = (): string[] =>
  readdirSync(scenarioFolder)
    .flatMap((file) => /^(\d\d-[\w-]+)\.ts$/.exec(file)?.[1] ?? [])
    .sort()

export async function loadScenario(name: string): Promise<Scenario> {
  const file = (await import(join(scenarioFolder, `${name}.ts`))) as { default: Scenario }
  return file.default
}

/** The text of a file in `capture/out`. */
export const readOut = (file: string): string => readFileSync(join(outFolder, file), 'utf8')

/** Returns the exit code. */
export async function runCapture(words: string[]): Promise<number> {
  const options = { check: { type: 'boolean' }, help: { type: 'boolean' } } as const
  const { values, positionals } = parseArgs({ args: words, options, allowPositionals: true })
  if (values.help) {
    console.log(help)
    return 0
  }
  const all = captureNames()
  const wanted = all.filter(
    (name) => positionals.length === 0 || positionals.some((word) => isFor(word, name)),
  )
  const unknown = positionals.find((word) => !all.some((name) => isFor(word, name)))
  if (unknown !== undefined) {
    console.error(`There is no capture ${unknown}. There are:\n  ${all.join('\n  ')}`)
    return 1
  }
  let differences = 0
  mkdirSync(outFolder, { recursive: true })
  for (const name of wanted) {
    const capture = await play(name, await loadScenario(name))
    const files = write(capture)
    const count = `${capture.exchanges.length} exchanges`
    if (values.check) {
      const found = compare(name, files)
      differences += found
      console.log(found === 0 ? `ok       ${name}, ${count}` : `differs  ${name}`)
    } else {
      for (const old of filesOf(name)) rmSync(join(outFolder, old))
      for (const [file, text] of files) writeFileSync(join(outFolder, file), text)
      console.log(`written  ${name}, ${count}`)
    }
  }
  if (differences > 0) {
    console.error(
      'capture/out is not what the kit gives. If the kit is right, `npm run capture` writes it anew.',
    )
  }
  return differences > 0 ? 1 : 0
}

const isFor = (word: string, name: string): boolean =>
  name === word || name.startsWith(`${word.padStart(2, '0')}-`)

const filesOf = (name: string): string[] =>
  existsSync(outFolder) ? readdirSync(outFolder).filter((file) => file.startsWith(`${name}.`)) : []

/** Prints how the files in `capture/out` differ from `files`, and gives how many do. */
function compare(name: string, files: Files): number {
  let count = 0
  for (const file of new Set([...filesOf(name), ...files.keys()])) {
    const path = join(outFolder, file)
    const there = existsSync(path) ? readFileSync(path, 'utf8') : ''
    const made = files.get(file) ?? ''
    if (there === made) continue
    count += 1
    const line = firstDifference(there, made)
    console.error(`capture/out/${file}:${line}: this is not what the kit gives:`)
    console.error(createTwoFilesPatch(`capture/out/${file}`, 'what the kit gives', there, made, '', ''))
  }
  return count
}

/** The first line, counted from 1, in which the texts differ. */
function firstDifference(one: string, other: string): number {
  const others = other.split('\n')
  return one.split('\n').findIndex((line, at) => line !== others[at]) + 1 || 1
}
