// The command `npm run capture`: which captures are made, and what becomes of their files.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { createTwoFilesPatch } from 'diff'
import { type Files, parse, write } from './format.ts'
import { play } from './play.ts'
import { serve } from './serve.ts'
import type { Scenario } from './story.ts'

export const outFolder = join(import.meta.dirname, 'out')
const scenarioFolder = join(import.meta.dirname, 'scenarios')

const help = `npm run capture                 plays every scenario and writes capture/out
npm run capture -- 07 12        only these
npm run capture -- --check      writes nothing, and fails where capture/out is not what the kit gives
npm run capture -- --out <dir>  another folder than capture/out
npm run capture -- serve 07     runs the agents of one, for sending its requests from an editor
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

const options = {
  check: { type: 'boolean' },
  out: { type: 'string', default: outFolder },
  help: { type: 'boolean' },
} as const

/** Returns the exit code. */
export async function runCapture(args: string[]): Promise<number> {
  const read = readWords(args)
  if (!read) return 1
  const { values, positionals } = read
  if (values.help) {
    console.log(help)
    return 0
  }
  const serves = positionals[0] === 'serve'
  const words = serves ? positionals.slice(1) : positionals
  const all = captureNames()
  const wanted = all.filter((name) => words.length === 0 || words.some((word) => isFor(word, name)))
  const unknown = words.find((word) => !all.some((name) => isFor(word, name)))
  if (unknown !== undefined) {
    console.error(`There is no capture ${unknown}. There are:\n  ${all.join('\n  ')}`)
    return 1
  }
  if (!serves) return record(wanted, values)
  if (wanted.length === 1) return serveUntilStopped(wanted[0]!)
  console.error('Say which one: npm run capture -- serve 07')
  return 1
}

/** Undefined where it has said what is wrong with them. */
function readWords(args: string[]) {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${help}`)
    return undefined
  }
}

/** Plays the captures and writes their files to the folder `out`, or compares them with what is there. */
async function record(names: string[], { check, out }: { check?: boolean; out: string }): Promise<number> {
  let differences = 0
  mkdirSync(out, { recursive: true })
  for (const name of names) {
    const capture = await play(name, await loadScenario(name))
    const files = write(capture)
    const count = `${capture.exchanges.length} exchanges`
    if (check) {
      const found = compare(name, files, out)
      differences += found
      console.log(found === 0 ? `ok       ${name}, ${count}` : `differs  ${name}`)
    } else {
      for (const old of filesOf(name, out)) rmSync(join(out, old))
      for (const [file, text] of files) writeFileSync(join(out, file), text)
      console.log(`written  ${name}, ${count}`)
    }
  }
  if (differences > 0) {
    console.error(
      `${shown(out)} is not what the kit gives. If the kit is right, \`npm run capture\` writes it anew.`,
    )
  }
  return differences > 0 ? 1 : 0
}

async function serveUntilStopped(name: string): Promise<number> {
  try {
    const { explanation, close } = await serve(parse(name, readOut), await loadScenario(name))
    console.log(`\n${explanation}\n`)
    await new Promise((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve))
    await close()
    return 0
  } catch (error) {
    console.error((error as Error).message)
    return 1
  }
}

const isFor = (word: string, name: string): boolean =>
  name === word || name.startsWith(`${word.padStart(2, '0')}-`)

const filesOf = (name: string, folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder).filter((file) => file.startsWith(`${name}.`)) : []

/** A path as messages name it. */
const shown = (path: string): string => relative(process.cwd(), path)

/** Prints how the files in `folder` differ from `files`, and gives how many do. */
function compare(name: string, files: Files, folder: string): number {
  let count = 0
  for (const file of new Set([...filesOf(name, folder), ...files.keys()])) {
    const path = join(folder, file)
    const there = existsSync(path) ? readFileSync(path, 'utf8') : ''
    const made = files.get(file) ?? ''
    if (there === made) continue
    count += 1
    console.error(`${shown(path)}:${firstDifference(there, made)}: this is not what the kit gives:`)
    console.error(createTwoFilesPatch(shown(path), 'what the kit gives', there, made, '', ''))
  }
  return count
}

/** The first line, counted from 1, in which the texts differ; their last one if one has nothing but more. */
function firstDifference(one: string, other: string): number {
  const lines = one.split('\n')
  const others = other.split('\n')
  const at = lines.findIndex((line, index) => line !== others[index])
  return at === -1 ? lines.length : at + 1
}
