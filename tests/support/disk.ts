// A disk that can be full: the store's writes of a status fail as SQLite's do.
import { realWorld, type World } from '@a2a-kit/task-core'

/** A world for `startProbe`; while `full` is true no status can be stored. */
export function fullDisk(): World & { full: boolean } {
  return {
    ...realWorld,
    full: false,
    statusTime() {
      if (this.full) throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
      return Date.now()
    },
  }
}
