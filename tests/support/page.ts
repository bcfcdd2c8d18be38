// Pages of documentation in tests: their code blocks, the commands in these run as they stand there, and code that is code of a file.
import { spawn } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../scripts/kit.ts'

const isOurs = (name: string) => !['node_modules', 'fixtures'].includes(name)

/** Every Markdown file, by path from the project's folder. */
export const pages = globSync('**/*.md', { cwd: root, exclude: (name) => !isOurs(name) })

/** A fenced block. */
export interface Block {
  language: string
  /** The file that it is a part of, if its first line names one after the language: ```` ```ts path/of/file.ts ````. */
  file?: string
  text: string
  /** The line of the page on which `text` begins, from 1. */
  line: number
  /** Page and line: `docs/push.md:12`. */
  place: string
}

/** What is run: the text of a block, and where it stands. */
export type Script = Pick<Block, 'text' | 'place'>

/** The blocks of `page`, a path from the project's folder; with `only`, those of that language. */
export function blocksOf(page: string, only?: string): Block[] {
  const text = readFileSync(join(root, page), 'utf8')
  const blocks = [...text.matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```$/gms)].map((match) => {
    const [, language = '', file, code = ''] = match
    const line = text.slice(0, match.index).split('\n').length + 1
    return { language, ...(file ? { file } : {}), text: code, line, place: `${page}:${line}` }
  })
  return blocks.filter(({ language }) => only === undefined || language === only)
}

/** `script` with each key of `others`, a plain word, replaced by its value: the ports and paths of a test. */
export function withOthers({ text, place }: Script, others: Record<string, string | number>): Script {
  return {
    place,
    text: text.replace(new RegExp(Object.keys(others).join('|'), 'g'), (one) => `${others[one]}`),
  }
}

/** Its file of settings has curl fail where it is answered with an error. */
const curlHome = join(import.meta.dirname, 'curl')

/**
 * Runs `script` in the project's folder: `ended` has what it printed, or rejects with that, and with where the script stands, when
 * a command fails.
 */
export function run(script: string | Script, env: NodeJS.ProcessEnv = {}) {
  const { text, place } = typeof script === 'string' ? { text: script, place: 'a test' } : script
  const child = spawn('bash', ['-euo', 'pipefail', '-c', text], {
    cwd: root,
    env: { ...process.env, CURL_HOME: curlHome, ...env },
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  child.stderr.resume()
  const ended = new Promise<string>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) =>
      code === 0 ? resolve(output) : reject(new Error(`${place}: ${text}\nended with ${code}:\n${output}`)),
    )
  })
  return { ended, output: () => output, stop: () => child.kill() }
}

/**
 * Where the blocks of `file` on `page`, put one after the other with an empty line between them, first differ from the file:
 * says page and line, and what stands there and in the file. Undefined if they are the same.
 */
export function difference(page: string, blocks: Block[], file: string): string | undefined {
  const onPage = blocks
    .filter((block) => block.file === file)
    .flatMap(({ text, line }, index) => {
      const lines = text.split('\n').slice(0, -1)
      const numbered = lines.map((one, offset) => ({ text: one, line: line + offset }))
      return index === 0 ? numbered : [{ text: '', line: line - 1 }, ...numbered]
    })
  const inFile = readFileSync(join(root, file), 'utf8').split('\n').slice(0, -1)
  const length = Math.max(onPage.length, inFile.length)
  for (let index = 0; index < length; index++) {
    const [here, there] = [onPage[index], inFile[index]]
    if (here?.text === there) continue
    const line = here?.line ?? (onPage.at(-1)?.line ?? 0) + 1
    return `${page}:${line} has ${quoted(here?.text)}, and ${file}:${index + 1} has ${quoted(there)}`
  }
  return undefined
}

const quoted = (line: string | undefined) => (line === undefined ? 'nothing more' : `"${line.trim()}"`)
