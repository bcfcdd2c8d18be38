// The commands of every Markdown file, in blocks and in sentences: what they name is there, and something runs each block.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { captureNames } from '../capture/library.ts'
import { root } from '../scripts/kit.ts'
import { startChild } from './support/child.ts'
import { blocksOf, pages, run, withOthers } from './support/page.ts'

interface Command {
  /** `docs/push.md:12` */
  place: string
  script: string
  /** What follows the `--`. */
  words: string[]
}

const read = (file: string) => readFileSync(join(root, file), 'utf8')
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }

const commands = pages.flatMap((page) =>
  read(page)
    .split('\n')
    .flatMap((line, at) =>
      [...line.matchAll(/\bnpm run ([\w-]+)(?: -- ([^`#&|]*))?/g)].map(
        ([, script, words = '']): Command => ({
          place: `${page}:${at + 1}`,
          script: script!,
          words: words.split(/\s+/).filter(Boolean),
        }),
      ),
    ),
)

/** The words of all commands that `isWrong` holds for, each with its page and line. */
const wrong = (isWrong: (word: string, command: Command) => boolean): string[] =>
  commands.flatMap((command) =>
    command.words
      .filter((word) => isWrong(word, command))
      .map((word) => `${command.place}: npm run ${command.script} has no ${word}`),
  )

test('every npm script that a page names is there', () => {
  expect(commands.length).toBeGreaterThan(20)
  const missing = commands.filter(({ script }) => !(script in scripts))
  expect(missing.map(({ place, script }) => `${place}: there is no npm script ${script}`)).toEqual([])
})

test('every option that a page gives one is in its help', async () => {
  const isOption = (word: string) => word.startsWith('--')
  const withOptions = commands.filter(({ script, words }) => script in scripts && words.some(isOption))
  const asked = new Set(withOptions.map(({ script }) => script))
  const help = new Map<string, string>()
  for (const script of asked) help.set(script, await run(`${scripts[script]} --help`).ended)
  const known = (script: string) => ['--help', ...(help.get(script)?.match(/--[\w-]+/g) ?? [])]
  expect(wrong((word, { script }) => isOption(word) && !known(script).includes(word))).toEqual([])
})

test('every file and every capture that a page gives one is there', () => {
  const madeByTheReader = ['agents/greeter.ts', 'agents/wiper.ts']
  const isNoFile = (word: string) =>
    word.endsWith('.ts') && !madeByTheReader.includes(word) && !existsSync(join(root, word))
  const isNoCapture = (word: string) =>
    /^\d+$/.test(word) && !captureNames().some((name) => name.startsWith(`${word}-`))
  expect(wrong((word) => isNoFile(word) || isNoCapture(word))).toEqual([])
})

const page = 'agents/conformance/README.md'

test('the blocks of every page are run by a test, or by CI', () => {
  const run = [
    'README.md',
    'docs/callers.md',
    'docs/approving.md',
    'docs/client.md',
    'docs/first-steps.md',
    'docs/limits.md',
    'docs/observing.md',
    'docs/operating.md',
    'docs/planner.md',
    'docs/ask-for-approval.md',
    'docs/write-an-agent.md',
    page,
  ]
  const checkedAbove = ['npm run capture -- --check\n']
  const others = pages.filter((one) => !run.includes(one)).flatMap((one) => blocksOf(one, 'sh'))
  const unknown = others.filter(({ text }) => !checkedAbove.includes(text))
  expect(unknown.map(({ place }) => place)).toEqual([])
})

test('the conformance agent does what a message says', async () => {
  const [start, send, ...more] = blocksOf(page, 'sh')
  expect(more).toEqual([])
  const [, main] = /^npm run agent -- (\S+)\n$/.exec(start!.text)!
  const agent = await startChild({ main: main! })
  const { task } = JSON.parse(await run(withOthers(send!, { 41249: new URL(agent.url).port })).ended)
  expect(task.status).toMatchObject({
    state: 'TASK_STATE_INPUT_REQUIRED',
    message: { parts: [{ text: 'Which branch?' }] },
  })
})

test('a command that fails, or is answered with an error, is told with its page and line', async () => {
  const agent = await startChild()
  const asked = (path: string) => run({ place: 'docs/page.md:7', text: `curl -s ${agent.url}${path}` }).ended
  expect(await asked('/health')).toContain('ok')
  await expect(asked('/wrong/path')).rejects.toThrow(/^docs\/page\.md:7: /)
})
