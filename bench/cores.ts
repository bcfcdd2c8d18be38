// Gives the servers one core and the load another, so that they do not take each other's time.
import { execFileSync } from 'node:child_process'

export interface Cores {
  /** What to put before a server's command line. */
  serverPrefix: string[]
  /** What was done, for the reader of the figures. */
  note: string
}

/** Binds this process to one core, where the machine has two and `taskset`. */
export function shareCores(): Cores {
  let allowed: number[]
  try {
    allowed = listed(execFileSync('taskset', ['-cp', String(process.pid)], { encoding: 'utf8' }))
  } catch {
    return shared('there is no taskset here')
  }
  const [load, server] = allowed
  if (load === undefined || server === undefined) return shared('there is only one core here')
  execFileSync('taskset', ['-acp', String(load), String(process.pid)], { stdio: 'ignore' })
  return {
    serverPrefix: ['taskset', '-c', String(server)],
    note: `Servers run on core ${server}, the load on core ${load}.`,
  }
}

const shared = (why: string): Cores => ({
  serverPrefix: [],
  note: `Servers and load share their cores, since ${why}: the figures depend on each other.`,
})

/** The cores that `taskset` names, as in `current affinity list: 0-2,5`. */
export function listed(answer: string): number[] {
  const [, list = ''] = /: *([\d,-]+)\s*$/.exec(answer) ?? []
  return list.split(',').flatMap((range) => {
    const [first, last = first] = range.split('-').map(Number)
    return first === undefined || last === undefined
      ? []
      : Array.from({ length: last - first + 1 }, (_, index) => first + index)
  })
}
