// Somebody who takes a lesson of the tutorial at a terminal, for tests.
import { PassThrough } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { onTestFinished } from 'vitest'
import type { Keyboard } from '../../scripts/demo/keys.ts'
import { takeLesson } from '../../scripts/tutorial/lesson.ts'
import { captureFolder, namesFor } from '../../scripts/tutorial/library.ts'
import { list } from '../../scripts/tutorial/list.ts'
import { temporaryFolder } from './probe.ts'
import { until } from './wait.ts'

/** What stands below a request that a key press sends. */
export const sends = '[Enter sends it, q leaves]'

interface Reading {
  env: NodeJS.ProcessEnv
  folder?: string
  columns?: number
  /** Whether somebody sits there. */
  isTTY?: boolean
  again?: boolean
  own?: boolean
}

/** A reader at a terminal, who presses keys once something is on it. */
export function read(
  name: string,
  { env, folder = captureFolder, columns = 80, isTTY = true, again = false, own = false }: Reading,
) {
  let text = ''
  const output = Object.assign(new PassThrough(), { isTTY, columns })
  output.on('data', (some: Buffer) => {
    text += some
  })
  const input = Object.assign(new PassThrough(), { isTTY, setRawMode: () => input }) as unknown as Keyboard &
    PassThrough
  const leave = new AbortController()
  const done = takeLesson(name, { folder, env, again, own, input, output, signal: leave.signal })
  done.catch(() => {})
  onTestFinished(async () => {
    leave.abort()
    await done.catch(() => {})
  })
  return {
    done,
    /** What is on it, without colours. */
    text: () => stripVTControlCharacters(text),
    colours: () => text !== stripVTControlCharacters(text),
    press: (key: string) => void input.write(key),
    /** Resolves once `words` are there for the nth time. */
    sees: (words: string, nth = 1) =>
      until(`"${words}"`, () => stripVTControlCharacters(text).split(words).length > nth),
  }
}

/** The environment of a reader for whom the deployer is started, with its data in a folder of the test. */
export async function besideNothing(): Promise<NodeJS.ProcessEnv> {
  const folder = await temporaryFolder()
  return { PATH: process.env.PATH, TMPDIR: folder, DATA_DIR: folder, DEPLOYER_PORT: '1' }
}

/** The list of the tutorials, as this reader sees it. */
export function listed(env: NodeJS.ProcessEnv): string {
  const output = new PassThrough()
  list(namesFor([], captureFolder), { folder: captureFolder, env, output })
  return String(output.read())
}
