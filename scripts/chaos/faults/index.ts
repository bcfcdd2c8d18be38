// All faults by name, and which of them a round has.
import type { Chance } from '../chance.ts'
import { canLimitFiles } from '../disk.ts'
import { clockFar, clockJump, clockSteps } from './clock.ts'
import { corrupted } from './corrupt.ts'
import type { Fault, Plan } from './fault.ts'
import { clientsVanish, rudeClients, webhook, wires } from './network.ts'
import { die, freeze, kill, killAtStart, stop } from './processes.ts'
import { failing, fileLimit, fullDisk, locked } from './stores.ts'

/** At most one of these at a time: two of them on one process would not know of each other. */
const ofProcesses: Record<string, Fault> = {
  kill,
  die,
  'kill-at-start': killAtStart,
  stop,
  freeze,
  failing,
  'file-limit': fileLimit,
  'full-disk': fullDisk,
  locked,
  corrupted,
  'clock-jump': clockJump,
  'clock-far': clockFar,
  'clock-steps': clockSteps,
}

/** These come alone or beside one of the others. */
const ofTheNetwork: Record<string, Fault> = {
  'clients-vanish': clientsVanish,
  'rude-clients': rudeClients,
  webhook,
  wires,
}

const all: Record<string, Fault> = { ...ofProcesses, ...ofTheNetwork }
export const faultNames: readonly string[] = Object.keys(all)

/** Faults that cannot be had on this machine, by name, with the reason. */
export function missingFaults(hasSmallDisk: boolean): Record<string, string> {
  return {
    ...(!hasSmallDisk && { 'full-disk': 'no small file system can be mounted here' }),
    ...(!canLimitFiles() && { 'file-limit': 'there is no prlimit here' }),
  }
}

export interface Chosen {
  name: string
  plan: Plan
}

/** The faults of one round out of `allowed`. One round in a dozen is calm: what holds under faults must hold without. */
export function chooseFaults(chance: Chance, allowed: readonly string[]): Chosen[] {
  const names = [chance.pick(Object.keys(ofProcesses)), ...chance.some(Object.keys(ofTheNetwork), 2)]
  const places = chance.pick([[0], [0], [0], [0, 1], [0, 1], [1], [1, 2]])
  if (chance.onceIn(12) || allowed.length === 0) return []
  const wanted = places.map((place) => names[place]!).filter((name) => allowed.includes(name))
  const chosen = wanted.length > 0 ? wanted : [chance.pick(allowed)]
  return chosen.map((name) => ({ name, plan: all[name]!(chance.fork(name)) }))
}

export type { Plan } from './fault.ts'
