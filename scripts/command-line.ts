// The command line of an npm script: its options and words, and what is wrong with them, in words for whoever typed it.
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { wrapLines } from './wrap.ts'

/** What npm takes for an option of its own, so that a setting of it says nothing about this command line. */
const alsoOfNpm = ['yes', 'help']

const help = { type: 'boolean', short: 'h', default: false } as const

/**
 * Reads the command line of `script`, which is named as it is typed: `npm run docs`. Every script has `--help`.
 * `words` says that it takes others than options.
 * @throws Error for an option that there is not, for a word where none is taken, and for an option that npm kept for
 * itself, since there was no `--` before it
 */
export function readCommandLine<Options extends ParseArgsOptionsConfig>(
  script: string,
  args: string[],
  options: Options,
  { words = false, env = process.env }: { words?: boolean; env?: NodeJS.ProcessEnv } = {},
) {
  const kept = Object.keys(options).find((name) => !alsoOfNpm.includes(name) && env[npmName(name)])
  if (kept) {
    throw new Error(
      `npm kept --${kept} for itself. What is for the script comes after two dashes: \`${script} -- --${kept}\`.`,
    )
  }
  try {
    const all: Options & { help: typeof help } = { ...options, help }
    return parseArgs({ args, options: all, allowPositionals: words })
  } catch (error) {
    throw new Error(`${inWords(error as NodeJS.ErrnoException)} \`${script} -- --help\` says what there is.`)
  }
}

/** Prints the help text of a script, its lines broken to fit a terminal. */
export const printHelp = (text: string): void => console.log(wrapLines(text, process.stdout.columns ?? 120))

/** Where npm tells the scripts that it runs of an option that it was given. */
const npmName = (option: string): string => `npm_config_${option.replaceAll('-', '_')}`

function inWords({ code, message }: NodeJS.ErrnoException): string {
  const [, word] = /'(.+?)'/.exec(message) ?? []
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return `There is no option ${word}.`
  if (code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL') return `"${word}" means nothing here.`
  return `${message.replace(/\.?$/, '.')}`
}
