// For tests: makes builds or deploys some, and kills itself at the nth call that changes the disk. Says how many there were.
import { existsSync, readdirSync, rmSync, writeSync } from 'node:fs'
import promises, { type FileHandle } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import type { Order } from './deploy.ts'

/** What it does, as its only argument in JSON. */
export interface Work {
  data: string
  /** Makes the builds from this folder. */
  tree?: string
  order?: Omit<Order, 'signal'>
  /** Cancels the deploy at its last chance, so that it is undone. */
  cancel?: boolean
  killAt?: number
}

const { data, tree, order, cancel, killAt } = JSON.parse(process.argv[2]!) as Work
let calls = 0

/** Counts a call that is about to be made, and dies if it is the nth. */
function moment(halfDone?: () => void): void {
  calls += 1
  if (calls !== killAt) return
  halfDone?.()
  process.kill(process.pid, 'SIGKILL')
}

// biome-ignore lint/suspicious/noExplicitAny: any function of node:fs/promises
const functions = promises as unknown as Record<string, (...args: any[]) => Promise<unknown>>
for (const name of ['mkdir', 'open', 'rename', 'rm', 'symlink', 'truncate']) {
  const real = functions[name]!
  functions[name] = async (...args) => {
    moment()
    if (name === 'rm' && args[1].recursive) moment(() => removeOneFile(args[0]))
    const result = await real(...args)
    return name === 'open' ? watched(result as FileHandle) : result
  }
}
syncBuiltinESMExports()

function removeOneFile(folder: string): void {
  if (!existsSync(folder)) return
  const file = readdirSync(folder, { recursive: true, withFileTypes: true }).find((entry) => entry.isFile())
  if (file) rmSync(join(file.parentPath, file.name))
}

function watched(handle: FileHandle): FileHandle {
  const { writeFile, sync } = handle
  return Object.assign(handle, {
    writeFile(content: string | Uint8Array) {
      moment()
      const bytes = Buffer.from(content as string)
      moment(() => writeSync(handle.fd, bytes.subarray(0, bytes.length / 2)))
      return writeFile.call(handle, content)
    },
    sync() {
      moment()
      return sync.call(handle)
    },
  })
}

// Only now, so that they see the functions above.
const { makeBuilds, openBuilds } = await import('./builds.ts')
const { openEnvironments } = await import('./environments.ts')

if (tree) await makeBuilds(data, tree, ['2026.10.06-1'])
if (order) {
  const { signal } = new AbortController()
  let looked = 0
  const throwIfAborted = () => {
    looked += 1
    if (cancel && looked === 3) throw new Error('canceled')
  }
  const environments = openEnvironments({ data, builds: openBuilds(data) })
  const deploy = environments.deploy({ ...order, signal: Object.assign(signal, { throwIfAborted }) })
  await (cancel ? deploy.catch(() => {}) : deploy)
}
console.log(calls)
