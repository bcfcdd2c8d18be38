// Writes that are whole or not there, after a kill and after a power cut alike.
import { mkdir, open, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/** The file's text, or undefined if there is no such file. */
export async function readIfThere(path: string): Promise<string | undefined> {
  return await readFile(path, 'utf8').catch(missing(undefined))
}

/** For `catch`: gives `instead` when a file or folder is not there, and throws everything else. */
export const missing =
  <T>(instead: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === 'ENOENT') return instead
    throw error
  }

/** Makes what was created, renamed or removed in `folder` last. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}

/** Writes `content` to the end of the file at `path`, which is made if it is not there, and waits until it is on the disk. */
export const append = (path: string, content: string): Promise<void> => write(path, 'a', content)

/** Makes the file at `path`, which must not be there yet, and waits until it is on the disk. */
export const create = (path: string, content: string | Uint8Array, mode?: number): Promise<void> =>
  write(path, 'wx', content, mode)

async function write(path: string, flags: string, content: string | Uint8Array, mode = 0o644) {
  const handle = await open(path, flags, mode)
  try {
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Replaces the file at `path` in one move; a reader sees the old content or the new. */
export async function replaceFile(path: string, content: string | Uint8Array): Promise<void> {
  await dropAside(path)
  await create(asideOf(path), content)
  await move(asideOf(path), path)
}

/** Points the symbolic link at `path` to `target` in one move; a reader sees the old target or the new. */
export async function pointTo(path: string, target: string): Promise<void> {
  await dropAside(path)
  await symlink(target, asideOf(path))
  await move(asideOf(path), path)
}

/** Removes what a cut left of a `replaceFile` or a `pointTo` at `path`. */
export const dropAside = (path: string): Promise<void> => rm(asideOf(path), { force: true })

const asideOf = (path: string) => `${path}.new`

/** Renames, over what is there, for good. */
export async function move(from: string, to: string): Promise<void> {
  await rename(from, to)
  await syncFolder(dirname(to))
}

/** Removes a file for good, if it is there. */
export async function remove(path: string): Promise<void> {
  await rm(path, { force: true })
  await syncFolder(dirname(path))
}

/** Makes a folder, and those above it, for good; one by one, as the kit's own `makeFolder` does. */
export async function makeFolder(path: string): Promise<void> {
  const whole = resolve(path)
  if (await isFolder(whole)) return
  await makeFolder(dirname(whole))
  await mkdir(whole).catch(async (error) => {
    if (!(await isFolder(whole))) throw error // else another step has made it meanwhile
  })
  await syncFolder(dirname(whole))
}

const isFolder = async (path: string): Promise<boolean> =>
  await stat(path).then((found) => found.isDirectory(), missing(false))
