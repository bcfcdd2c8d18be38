// Disks that are full: a small file system in memory where one can be mounted, and a limit on the files of a process.
import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Mounts a file system of `mib` MiB at `folder`; undefined where that is not allowed. @returns what unmounts it */
export function mountSmallDisk(folder: string, mib: number): (() => void) | undefined {
  mkdirSync(folder, { recursive: true })
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mib}m`, 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  return () => void execFileSync('umount', ['--lazy', folder], { stdio: 'ignore' })
}

/** Leaves no room on the disk of `folder`. @returns what makes room again */
export function fillDisk(folder: string): () => void {
  const filler = join(folder, 'filler')
  for (let size = 4 * 1024 * 1024; size >= 1024; ) {
    try {
      writeFileSync(filler, Buffer.alloc(size), { flag: 'a' })
    } catch {
      size = size >> 2
    }
  }
  return () => rmSync(filler, { force: true })
}

/** Whether the files of a process that runs can be limited here. */
export function canLimitFiles(): boolean {
  try {
    execFileSync('prlimit', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Lets no file of the process grow beyond `kib`; undefined is no limit. A process that has ended is none. */
export async function limitFiles(pid: number, kib: number | undefined): Promise<void> {
  const soft = kib === undefined ? 'unlimited' : String(kib * 1024)
  await run('prlimit', [`--pid=${pid}`, `--fsize=${soft}:unlimited`]).catch(() => {})
}
