// The command `npm run capture`: which captures are made, and what becomes of their files.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '@a2a-kit/task-core'
import { differences, filesOf, shown, straysIn } from '../../capture/compare.ts'
import { type Files, FormatError, parse, write } from '../../capture/format.ts'
import { captureNames, fileOfScenario, loadScenario, outFolder, readOut } from '../../capture/library.ts'
import type { Capture } from '../../capture/model.ts'
import { play } from '../../capture/play.ts'
import { printHelp, readCommandLine } from '../command-line.ts'
import { serve } from './serve.ts'

const help = `npm run capture                 plays every scenario and writes capture/out
npm run capture -- 07 12        only these
npm run capture -- --check      writes nothing, and fails where capture/out is not what the kit gives
npm run capture -- --out <dir>  another folder than capture/out
npm run capture -- serve 07     runs the agents of one, for sending its requests from an editor
npm run capture -- --help       this text`

const options = {
  check: { type: 'boolean', default: false },
  out: { type: 'string', default: outFolder },
} as const

/** Returns the exit code. */
export async function runCapture(args: string[]): Promise<number> {
  const read = readWords(args)
  if (!read) return 1
  const { values, positionals } = read
  if (values.help) {
    printHelp(help)
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
  if (!serves) return recordOrSay(wanted, values)
  if (wanted.length === 1) return serveUntilStopped(wanted[0]!)
  console.error('Say which one: npm run capture -- serve 07')
  return 1
}

/** Undefined where it has said what is wrong with them. */
function readWords(args: string[]) {
  try {
    return readCommandLine('npm run capture', args, options, { words: true })
  } catch (error) {
    console.error((error as Error).message)
    return undefined
  }
}

/** As `record`, and says so where a file or folder cannot be read or written. */
async function recordOrSay(...given: Parameters<typeof record>): Promise<number> {
  try {
    return await record(...given)
  } catch (error) {
    const { message, syscall } = error as NodeJS.ErrnoException
    if (!syscall) throw error
    console.error(message)
    return 1
  }
}

/** Plays the captures and writes their files to the folder `out`, or compares them with what is there. */
async function record(names: string[], { check, out }: { check: boolean; out: string }): Promise<number> {
  // The agents' folders go when the process exits, which by itself it does not do on a signal.
  process.once('SIGINT', () => process.exit(130)).once('SIGTERM', () => process.exit(143))
  if (!check) makeFolder(out)
  const many = names.length > 1 ? `${names.length} captures are` : `${names[0]} is`
  console.log(`${many} played against agents of their own. The first takes some seconds.`)
  let failures = 0
  let differing = 0
  for (const name of names) {
    const capture = await load(name).catch((error) => console.error(problemIn(name, error)))
    if (!capture) {
      failures += 1
      continue
    }
    const files = write(capture)
    const found = check ? differences(name, files, out) : []
    if (!check) replace(name, files, out)
    for (const difference of found) console.error(difference)
    differing += found.length
    const outcome = !check ? 'written ' : found.length > 0 ? 'differs ' : 'ok      '
    console.log(`${outcome} ${name}, ${capture.exchanges.length} exchanges`)
  }
  const all = captureNames()
  const strays = names.length === all.length ? straysIn(out, all) : []
  for (const stray of strays)
    console.error(`${shown(join(out, stray))}:1: No scenario gives this file: remove it.`)
  if (differing > 0) {
    console.error(`If the kit is right, \`npm run capture\` writes ${shown(out)} anew.`)
  }
  if (failures + differing + strays.length > 0) return 1
  console.log(check ? 'The captures are what the kit gives.' : `Written to ${shown(out)}.`)
  return 0
}

const load = async (name: string): Promise<Capture> => play(name, await loadScenario(name))

/** Writes the files of a capture, and removes those that it has no more. */
function replace(name: string, files: Files, folder: string): void {
  for (const [file, text] of files) writeFileSync(join(folder, file), text)
  for (const old of filesOf(name, folder)) if (!files.has(old)) rmSync(join(folder, old))
}

/** What went wrong when the scenario was played, with its file and, where it stopped in there, the line. */
function problemIn(name: string, error: Error): string {
  const file = fileOfScenario(name)
  const line = /^\d+/.exec(error.stack?.split(`${file}:`)[1] ?? '')?.[0]
  if (line) return `${shown(file)}:${line}: ${error.message}`
  const isMistake = [TypeError, ReferenceError, RangeError].some((kind) => error instanceof kind)
  return `${shown(file)}:1: ${isMistake ? error.stack : error.message}`
}

async function serveUntilStopped(name: string): Promise<number> {
  try {
    const { explanation, close } = await serve(parse(name, readOut), await loadScenario(name))
    console.log(`\n${explanation}\n`)
    await new Promise((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve))
    await close()
    return 0
  } catch (error) {
    const { message } = error as Error
    console.error(error instanceof FormatError ? `${shown(outFolder)}/${message}` : message)
    return 1
  }
}

const isFor = (word: string, name: string): boolean =>
  name === word || name.startsWith(`${word.padStart(2, '0')}-`)
