// A tree of files in memory: read from a folder, written to one, packed into an archive and read from one.
import { once } from 'node:events'
import { mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { Header, Pack, Parser, ReadEntry } from 'tar'
import { DeployError } from './deploy-error.ts'
import { create, syncFolder } from './disk.ts'

export interface File {
  content: Buffer
  executable: boolean
}

/** Files by their path, with `/` between the names. */
export type Files = Map<string, File>

/**
 * All files below `folder`.
 * @throws DeployError for a link or a device, by its path
 */
export async function readTree(folder: string): Promise<Files> {
  const files: Files = new Map()
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const name = relative(folder, path).split(sep).join('/')
    if (entry.isDirectory()) continue
    if (!entry.isFile()) throw new DeployError(`${name} is neither a file nor a folder`)
    const { mode } = await stat(path)
    files.set(name, { content: await readFile(path), executable: (mode & 0o100) !== 0 })
  }
  return files
}

/** Writes the files into `folder`, which must not be there yet, and waits until all is on the disk. */
export async function writeTree(folder: string, files: Files): Promise<void> {
  const folders = new Set([folder])
  for (const path of files.keys()) {
    for (let above = dirname(path); above !== '.'; above = dirname(above)) folders.add(join(folder, above))
  }
  for (const inner of folders) await mkdir(inner, { recursive: true })
  for (const [path, { content, executable }] of files) {
    await create(join(folder, path), content, executable ? 0o755 : 0o644)
  }
  for (const inner of folders) await syncFolder(inner)
}

/** A `.tar.gz` of the files: the same bytes for the same files, on every machine and at any time. */
export async function pack(files: Files): Promise<Buffer> {
  // Stored and not compressed: compressors give other bytes on other processors, and a build has one checksum.
  const archive = new Pack({ portable: true, gzip: { level: 0 } })
  const bytes = archive.concat()
  for (const path of [...files.keys()].sort()) {
    const { content, executable } = files.get(path)!
    const mode = executable ? 0o755 : 0o644
    const header = new Header({ path, mode, size: content.length, mtime: new Date(0), type: 'File' })
    const entry = new ReadEntry(header)
    entry.end(content)
    archive.add(entry)
  }
  archive.end()
  return await bytes
}

/**
 * The files in a `.tar.gz`.
 * @throws DeployError when it is damaged, or holds anything but files and folders with a path inside of it
 */
export async function unpack(archive: Buffer): Promise<Files> {
  const files: Files = new Map()
  const refused: string[] = []
  const parser = new Parser({
    strict: true,
    onReadEntry(entry) {
      const { path, type, mode = 0 } = entry
      if (type !== 'File' && type !== 'Directory') refused.push(`${path} is a ${type}`)
      if (!isInside(path)) refused.push(`${path} leads out of the folder`)
      if (type !== 'File') return void entry.resume()
      const chunks: Buffer[] = []
      entry.on('data', (chunk) => chunks.push(chunk))
      entry.on('end', () =>
        files.set(path, { content: Buffer.concat(chunks), executable: (mode & 0o100) !== 0 }),
      )
    },
  })
  try {
    const end = once(parser, 'end')
    parser.end(archive)
    await end
  } catch (error) {
    throw new DeployError(`it is damaged: ${(error as Error).message}`, { cause: error })
  }
  if (refused.length > 0) throw new DeployError(`it holds what no build may: ${refused.join(', ')}`)
  return files
}

const isInside = (path: string): boolean =>
  !/^([/\\]|[a-z]:)/i.test(path) && !path.split(/[/\\]/).includes('..')
