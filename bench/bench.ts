// Measures the kit beside the official SDK and bare Fastify: `npm run bench -- [parts] [options]`.

import { accessSync, constants, statSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { makeFolder } from '@a2a-kit/task-core'
import { printHelp } from '../scripts/command-line.ts'
import { type Cores, shareCores } from './cores.ts'
import { writeDocs } from './docs.ts'
import { help, type Options, readOptions } from './options.ts'
import { type PartName, parts } from './parts/index.ts'
import { type Peer, startPeer } from './peer.ts'
import { recordOf } from './record.ts'
import { type PartResult, show, showTargets } from './report.ts'

/** Runs one part, and stops the servers that it started, however it ends. */
async function run(part: PartName, options: Options, cores: Cores): Promise<PartResult> {
  const { seconds, rounds, quick, profileTo } = options
  const peers: Peer[] = []
  try {
    return await parts[part]({
      cores,
      seconds,
      rounds,
      quick,
      say: console.log,
      async startPeer(name, more) {
        const peer = await startPeer(name, { cores, profileTo, ...more })
        peers.push(peer)
        return peer
      },
    })
  } catch (error) {
    await Promise.all(peers.map((peer) => peer.checkRuns())) // or that is why
    throw error
  } finally {
    await Promise.all(peers.map((peer) => peer.stop()))
  }
}

/** @throws Error that says why `file` cannot be written: better before some minutes than after them */
function checkWritable(file: string): void {
  makeFolder(dirname(file))
  accessSync(dirname(file), constants.W_OK)
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) throw new Error(`--out ${file} is a folder.`)
}

/** Runs all that is asked for; resolves with whether every target was reached. */
async function measure(options: Options): Promise<boolean> {
  const { out } = options
  checkWritable(out)
  const cores = shareCores()
  console.log(cores.note)
  const results = []
  for (const part of options.parts) {
    const result = await run(part, options, cores)
    for (const table of result.tables) console.log(show(table))
    results.push({ part, ...result })
  }
  const targets = results.flatMap((result) => result.targets)
  console.log(showTargets(targets))
  const record = recordOf(results, options, cores.note)
  writeFileSync(out, `${JSON.stringify(record, null, 2)}\n`)
  if (options.docs) writeDocs(record)
  console.log(
    `\nWritten to ${[relative('', out), ...(options.docs ? ['docs/speed.md', 'docs/speed.svg'] : [])].join(', ')}`,
  )
  return targets.every(({ ok }) => ok)
}

process.once('SIGINT', () => process.exit(130)) // so that what is done at an exit is done
process.once('SIGTERM', () => process.exit(143))
try {
  const options = readOptions(process.argv.slice(2))
  if (options.help) printHelp(help)
  else if (!(await measure(options)) && options.strict) process.exitCode = 1
} catch (error) {
  console.error(`bench: ${(error as Error).message}`)
  process.exitCode = 1
}
