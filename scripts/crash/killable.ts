// Runs an agent's main file, its argument, and writes down every moment at which it could be killed, in the file
// CRASH_MOMENTS; at the moment that CRASH_AT names (`commit:before#5` is the fifth of its name) it dies by SIGKILL.
import { openSync, writeSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { realWorld } from '@a2a-kit/task-core'
import { watchDisk } from './disk.ts'
import { watchMessages } from './messages.ts'

const { CRASH_MOMENTS, CRASH_AT } = process.env
const main = resolve(process.argv[2]!)
const file = openSync(CRASH_MOMENTS!, 'a')
const counts = new Map<string, number>()

function moment(name: string): void {
  const nth = (counts.get(name) ?? 0) + 1
  counts.set(name, nth)
  writeSync(file, `${name}#${nth}\n`)
  if (`${name}#${nth}` === CRASH_AT) process.kill(process.pid, 'SIGKILL')
}

const disk = watchDisk(moment)
watchMessages(moment)
realWorld.moment = (name) => {
  moment(name)
  if (name === 'step:before') disk.begin()
  if (name === 'step:after') disk.end()
}

process.argv.splice(1, process.argv.length - 1, main)
await import(pathToFileURL(main).href)
