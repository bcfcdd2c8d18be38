// Runs the official conformance suite, from a checkout of a2aproject/a2a-tck, against the conformance agent: `npm run suite -- <folder>`.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { printHelp, readCommandLine } from './command-line.ts'
import { type CardName, cardNames, runWithCard } from './suite/run.ts'
import { type Counts, judge, sayCounts } from './suite/verdict.ts'

const help = `npm run suite -- <folder> [card ...]: runs the official suite against the conformance agent.

<folder> is a checkout of github.com/a2aproject/a2a-tck, branch 1.0-dev, with
what it needs installed into its .venv:

  git clone --branch 1.0-dev https://github.com/a2aproject/a2a-tck
  cd a2a-tck && git checkout 357c4a8   # the version that the expected counts are from
  python3 -m venv .venv && .venv/bin/pip install -e .

  --help  this text

The agent is started on the ports 41249 and 42249 with CONFORMANCE_PROFILE=tck,
once with each card:

  full                all capabilities, three transports
  minimal             no streaming, no push notifications, no extended card
  required-extension  a required extension, with the tests of that alone

The suite's own tables count requirements without a test as failed; what counts
here are its tests. With the minimal card one of them fails against every server
(docs/conformance.md).

Exits with 1 if the suite says anything but what it should, and with 2 if it
cannot be run.`

async function main(words: string[]): Promise<number> {
  const { values, positionals } = readCommandLine('npm run suite', words, {}, { words: true })
  const [folder, ...named] = positionals
  if (values.help) {
    printHelp(help)
    return 0
  }
  if (folder === undefined) throw new Error(`Name the folder of the suite.\n\n${help}`)
  const unknown = named.find((name) => !cardNames.includes(name as CardName))
  if (unknown !== undefined) {
    console.error(`There is no card "${unknown}": use ${cardNames.join(', ')}.`)
    return 2
  }
  const python = join(resolve(folder), '.venv/bin/python')
  if (!existsSync(python) || !existsSync(join(folder, 'run_tck.py'))) {
    console.error(`${folder} is no checkout of the suite with a .venv. See npm run suite -- --help.`)
    return 2
  }
  let asExpected = true
  for (const card of named.length > 0 ? (named as CardName[]) : cardNames) {
    console.log(`\n${card} card:`)
    const counts: Counts = await runWithCard(card, resolve(folder), python)
    const complaints = judge(card, counts)
    console.log(sayCounts(counts))
    for (const complaint of complaints) console.log(`  not as it should be: ${complaint}`)
    if (complaints.length > 0) asExpected = false
  }
  console.log(asExpected ? '\nAll is as it should be.' : '\nSomething is not as it should be.')
  return asExpected ? 0 : 1
}

process.exitCode = await main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message)
  return 2
})
