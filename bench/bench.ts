// Measures the kit beside a bare Fastify reply of the same size: `npm run bench -- [send] [get] [chunks]`.

import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { dirname, relative } from 'node:path'
import { printHelp } from '../scripts/command-line.ts'
import { shareCores } from './cores.ts'
import { help, type Options, readOptions } from './options.ts'
import { parts } from './parts/index.ts'
import { startPeer } from './peer.ts'
import { show } from './report.ts'

async function measure(options: Options): Promise<void> {
  const { seconds, rounds, out } = options
  const cores = shareCores()
  console.log(cores.note)
  const kit = await startPeer('kit', { ...options, cores })
  const results = []
  try {
    for (const part of options.parts) {
      const result = await parts[part]({ ...options, kit, cores, say: console.log })
      console.log(show(result))
      results.push({ part, ...result })
    }
  } finally {
    await kit.stop()
  }
  const machine = { node: process.version, cpu: cpus()[0]?.model, cores: cpus().length, note: cores.note }
  mkdirSync(dirname(out), { recursive: true })
  writeFileSync(out, `${JSON.stringify({ at: new Date(), machine, seconds, rounds, results }, null, 2)}\n`)
  console.log(`\nWritten to ${relative('', out)}`)
}

try {
  const options = readOptions(process.argv.slice(2))
  if (options.help) printHelp(help)
  else await measure(options)
} catch (error) {
  console.error(`bench: ${(error as Error).message}`)
  process.exitCode = 1
}
