// The command `npm run docs`: the documentation as it should be against the one that is there.
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createTwoFilesPatch } from 'diff'
import { FormatError } from '../../capture/format.ts'
import { printHelp, readCommandLine } from '../command-line.ts'
import { root as projectFolder } from '../kit.ts'
import { figureFolder } from './figures.ts'
import { captureFolder, readCaptures } from './library.ts'
import { makeDocumentation } from './pages.ts'

const help = `npm run docs                    fills the regions of the pages, and draws the figures, from ${captureFolder}
npm run docs -- --check         writes nothing, and fails where a page or a figure is not what the captures give
npm run docs -- --help          this text

docs/README.md says how regions are marked.`

/**
 * Returns the exit code.
 * @throws Error for an option that there is not
 */
export function runDocs(words: string[], root = projectFolder): number {
  const { values } = readCommandLine('npm run docs', words, { check: { type: 'boolean', default: false } })
  if (values.help) {
    printHelp(help)
    return 0
  }
  const { differences, problems } = values.check ? check(root) : write(root)
  for (const difference of differences) console.error(difference)
  for (const problem of problems) console.error(problem)
  if (differences.length > 0) console.error('If the captures are right, `npm run docs` writes these anew.')
  if (differences.length + problems.length > 0) return 1
  console.log(values.check ? 'The documentation is what the captures give.' : 'The documentation is written.')
  return 0
}

export interface Findings {
  /** Each with file, line and a diff. */
  differences: string[]
  /** Each with file and line. */
  problems: string[]
}

/** What keeps the documentation below `root` from being what the captures give. */
export function check(root: string): Findings {
  const { files, problems } = make(root)
  const differences = [...files].flatMap(([file, text]) => difference(root, file, text))
  return {
    differences,
    problems: [...problems, ...unused(root, files).map((file) => `${file}:1: No page shows this figure.`)],
  }
}

function write(root: string): Findings {
  const { files, problems } = make(root)
  for (const [file, text] of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  if (problems.length === 0) for (const file of unused(root, files)) rmSync(join(root, file))
  return { differences: [], problems }
}

function make(root: string) {
  try {
    return makeDocumentation(root, readCaptures(root))
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    return { files: new Map<string, string>(), problems: [`${captureFolder}/${error.message}`] }
  }
}

/** The figures that are there and that no page shows. */
const unused = (root: string, files: Map<string, string>): string[] =>
  globSync(`${figureFolder}/*.svg`, { cwd: root }).filter((file) => files.size > 0 && !files.has(file))

function difference(root: string, file: string, made: string): string[] {
  const path = join(root, file)
  if (!existsSync(path)) return [`${file}:1: This figure is missing.`]
  const there = readFileSync(path, 'utf8')
  if (there === made) return []
  const others = made.split('\n')
  const lines = there.split('\n')
  const at = Math.max(
    0,
    lines.findIndex((line, index) => line !== others[index]),
  )
  const place = `${file}:${at + 1}: this is not what the captures give:`
  // Where one line of a figure changes, all that is below moves.
  if (file.endsWith('.svg')) return [`${place}\n-${lines[at]}\n+${others[at] ?? ''}`]
  return [`${place}\n${createTwoFilesPatch(file, 'what the captures give', there, made, '', '')}`]
}
