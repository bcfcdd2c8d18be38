// Stores that fail: at some write, while the disk is full, and while another process holds the database.
import Database from 'better-sqlite3'
import { names } from '../agents.ts'
import { fillDisk, limitFiles } from '../disk.ts'
import type { Told } from '../scene.ts'
import { after, type Fault, moment } from './fault.ts'

/** Some commits, or some writes of a status, fail as SQLite's do. */
export const failing: Fault = (chance) => {
  const name = chance.pick(names)
  const what = chance.pick(['commits', 'writes'] as const)
  const [from, count] = [chance.between(1, 15), chance.pick([1, 1, 2, 5])]
  return {
    words: `${count} ${what} of ${name} fail from its ${from}th on`,
    async run(scene) {
      const agent = scene.agents[name]
      await agent.order({ do: `fail ${what}`, from, count })
      await after(1200, scene)
      await agent.order({ do: 'heal' })
    },
  }
}

/** An effect on a disk that is full fails, and then the task does. */
const excuses = ({ agent }: Told) => agent !== 'code-reviewer'

/** No file of the process can grow: a write fails with EFBIG. */
export const fileLimit: Fault = (chance) => {
  const name = chance.pick(names)
  const [at, ms] = [moment(chance), chance.between(100, 1200)]
  const kib = chance.pick([0, 16, 64])
  return {
    words: `no file of ${name} beyond ${kib} KiB at ${at} ms for ${ms} ms`,
    excuses,
    async run(scene) {
      await after(at, scene)
      const pid = scene.agents[name].pid()
      await limitFiles(pid, kib)
      try {
        await after(ms, scene)
      } finally {
        await limitFiles(pid, undefined)
      }
    },
  }
}

/** The disk of the scripted agent has no room left: a write fails with ENOSPC. */
export const fullDisk: Fault = (chance) => {
  const [at, ms] = [moment(chance), chance.between(100, 1200)]
  return {
    words: `the disk of conformance is full at ${at} ms for ${ms} ms`,
    excuses,
    async run(scene) {
      await after(at, scene)
      const empty = fillDisk(scene.agents.conformance.dataDir)
      try {
        await after(ms, scene)
      } finally {
        empty()
      }
    },
  }
}

/** Another process is in the middle of a write, sometimes for longer than an agent waits for it. */
export const locked: Fault = (chance) => {
  const name = chance.pick(names)
  const at = moment(chance)
  const ms = chance.onceIn(6) ? 5600 : chance.between(100, 1500)
  return {
    words: `the database of ${name} is locked at ${at} ms for ${ms} ms`,
    async run(scene) {
      await after(at, scene)
      const other = new Database(scene.agents[name].file, { timeout: 2000 })
      try {
        other.exec('BEGIN IMMEDIATE')
        await after(ms, scene)
        other.exec('ROLLBACK')
      } finally {
        other.close()
      }
    },
  }
}
