// Where registrations are kept: one file for each task, so that one that is saved twice is still one.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder, type Struct } from '@a2a-kit/task-core'

/** The registrations below `dataDir`. Both calls are synchronous: a cancel finds all of a registration, or nothing. */
export function openRegistrations(dataDir: string) {
  const file = (taskId: string) => join(dataDir, 'early-access', `${taskId}.json`)
  makeFolder(join(dataDir, 'early-access'))
  return {
    has: (taskId: string) => existsSync(file(taskId)),
    save: (taskId: string, content: Struct) => writeFileSync(file(taskId), `${JSON.stringify(content)}\n`),
  }
}

export type Registrations = ReturnType<typeof openRegistrations>
