// Makes a folder that a person has named.
import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes `folder` and those above it that are missing, one by one: by its option `recursive` Node.js tries for ever below a folder that is
 * there and takes no other, such as /proc.
 * @throws Error of the file system that names the folder that cannot be made
 */
export function makeFolder(folder: string): void {
  if (isFolder(folder)) return
  makeFolder(dirname(folder))
  try {
    mkdirSync(folder)
  } catch (error) {
    if (!isFolder(folder)) throw error // else another process has made it meanwhile
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
