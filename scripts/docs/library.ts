// The captures in `capture/out`, as markers name them.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ParsedCapture, parse } from '../../capture/format.ts'
import type { Exchange } from '../../capture/model.ts'
import { listed, MarkerError } from './problem.ts'

/** Where captures stand, from the project's folder. */
export const captureFolder = 'capture/out'

/** Reads all captures below `root`, in order. @throws FormatError for a file that does not keep to the grammar */
export function readCaptures(root: string): ParsedCapture[] {
  const folder = join(root, captureFolder)
  const names = readdirSync(folder).flatMap((file) => /^(\d\d-[\w-]+)\.http$/.exec(file)?.[1] ?? [])
  return names.sort().map((name) => parse(name, (file) => readFileSync(join(folder, file), 'utf8')))
}

/**
 * The capture that `word` names, `06` or `06-input-required`.
 * @throws MarkerError that lists the captures
 */
export function captureNamed(captures: ParsedCapture[], word: string): ParsedCapture {
  const found = captures.find(({ name }) => name === word || name.startsWith(`${word}-`))
  if (found) return found
  throw new MarkerError(`There is no capture ${word}. There is: ${listed(captures.map(({ name }) => name))}.`)
}

/**
 * The exchange that `word` names as the file does: `ex01`.
 * @throws MarkerError that lists the exchanges
 */
export function exchangeNamed({ name, exchanges }: ParsedCapture, word: string): Exchange {
  const found = exchanges.find((exchange) => nameOf(exchange) === word)
  if (found) return found
  throw new MarkerError(`There is no ${word} in ${name}. There is: ${listed(exchanges.map(nameOf))}.`)
}

/** As the file names it: `ex01`. */
export const nameOf = ({ n }: Pick<Exchange, 'n'>): string => `ex${String(n).padStart(2, '0')}`
