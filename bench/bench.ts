// Measures the kit beside the official SDK and bare Fastify: `npm run bench -- [parts] [options]`.

import { accessSync, constants, statSync, writeFileSync } from 'node:fs'
import { dirname, relative, sep } from 'node:path'
import { makeFolder } from '@a2a-kit/task-core'
import { printHelp } from '../scripts/command-line.ts'
import { root } from '../scripts/kit.ts'
import { type Cores, shareCores } from './cores.ts'
import { diskNote, syncTime } from './disk.ts'
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

/** As a reader of the output would name it: from the project's folder, and whole when it lies outside of that. */
function shown(file: string): string {
  const inside = relative(root, file)
  return inside.startsWith(`..${sep}`) ? file : inside
}

/** Runs all that is asked for; resolves with whether every target was reached. */
async function measure(options: Options): Promise<boolean> {
  const { out, docs, quick } = options
  checkWritable(out)
  const cores = shareCores()
  const syncMs = await syncTime()
  console.log(`${cores.note} ${diskNote(syncMs)}`)
  const results = []
  for (const part of options.parts) {
    const result = await run(part, options, cores)
    for (const table of result.tables) console.log(show(quick ? { ...table, verdict: undefined } : table))
    results.push({ part, ...result })
  }
  const targets = results.flatMap((result) => result.targets)
  console.log(quick ? '\n--quick measures nothing: no target is judged.' : showTargets(targets))
  const record = recordOf(results, options, { note: cores.note, syncMs })
  writeFileSync(out, `${JSON.stringify(record, null, 2)}\n`)
  if (docs) writeDocs(record)
  console.log(`\nWritten to ${[shown(out), ...(docs ? ['docs/speed.md', 'docs/speed.svg'] : [])].join(', ')}`)
  return targets.every(({ ok }) => ok)
}

/** The exit codes of a process that a signal has ended, by shells. A hangup is that of a terminal that was closed. */
const stops = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }

for (const [signal, code] of Object.entries(stops)) {
  process.once(signal, () => {
    console.error('bench: stopped; nothing was written.')
    process.exit(code) // so that what is done at an exit is done
  })
}
try {
  const options = readOptions(process.argv.slice(2))
  if (options.help) printHelp(help)
  else if (!(await measure(options)) && options.strict) process.exitCode = 1
} catch (error) {
  console.error(`bench: ${(error as Error).message}`)
  process.exitCode = 1
}
