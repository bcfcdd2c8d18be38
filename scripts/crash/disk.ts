// The moments before a step of an agent changes the disk.
import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'

const changing = ['mkdir', 'mkdtemp', 'open', 'rename', 'rm', 'symlink', 'truncate', 'writeFile'] as const

/** Calls `moment` before each call that changes the disk, between `begin` and `end`. */
export function watchDisk(moment: (name: string) => void): { begin(): void; end(): void } {
  let watching = false
  // biome-ignore lint/suspicious/noExplicitAny: any function of node:fs/promises
  const functions = promises as unknown as Record<string, (...args: any[]) => Promise<unknown>>
  for (const name of changing) {
    const real = functions[name]!
    functions[name] = (...args) => {
      if (watching) moment(`disk:${name}`)
      return real(...args)
    }
  }
  syncBuiltinESMExports()
  return {
    begin() {
      watching = true
    },
    end() {
      watching = false
    },
  }
}
