// Runs an agent's main file, its argument, in a world that its parent shakes: the clock jumps, the store fails, the process dies.
import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { realWorld } from '@a2a-kit/task-core'
import type { Held, Order } from './orders.ts'

const main = resolve(process.argv[2]!)
const machine = Date
let offset = 0
let commits = { from: 0, count: 0 }
let writes = { from: 0, count: 0 }
let death = { moment: '', nth: 0 }
const warnings: string[] = []
setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** The time of the whole process, so that a jump is as one of the machine's: timers go on as they were. */
globalThis.Date = class extends machine {
  constructor(...args: unknown[]) {
    if (args.length === 0) super(machine.now() + offset)
    else super(...(args as [number]))
  }
  static override now = () => machine.now() + offset
} as DateConstructor

/** Counts down to the failures that were ordered, and throws what SQLite throws where a disk is full. */
function failIfTold(failures: typeof commits): void {
  if (failures.count === 0 || --failures.from > 0) return
  failures.count -= 1
  throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
}

realWorld.moment = (name) => {
  if (name === death.moment && --death.nth === 0) process.kill(process.pid, 'SIGKILL')
  if (name === 'commit:before') failIfTold(commits)
}
realWorld.statusTime = () => {
  failIfTold(writes)
  return Date.now()
}

function held(): Held {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  const resources: Record<string, number> = {}
  for (const kind of process.getActiveResourcesInfo()) resources[kind] = (resources[kind] ?? 0) + 1
  const listeners = process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0)
  const files = readdirSync('/proc/self/fd').length
  return { files, resources, listeners, bytes: heapUsed + external, warnings }
}

process.on('warning', ({ name, message }) => void warnings.push(`${name}: ${message}`))
process.on('SIGXFSZ', () => {}) // so that a file that must not grow is an error of the write
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL')) // nobody is left who could end it
process.on('message', (order: Order) => {
  if (order.do === 'clock') offset = order.offset
  if (order.do === 'fail commits') commits = { ...order }
  if (order.do === 'fail writes') writes = { ...order }
  if (order.do === 'die') death = { ...order }
  if (order.do === 'heal') {
    offset = 0
    commits.count = writes.count = death.nth = 0
  }
  process.send!(held())
})

process.argv.splice(1, process.argv.length - 1, main)
await import(pathToFileURL(main).href)
