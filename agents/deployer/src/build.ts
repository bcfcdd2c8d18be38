// What a build is: the files of a service and a build.json that names the build and lists the checksum of each file.
import { hash } from 'node:crypto'
import { DeployError } from './deploy-error.ts'
import { type Files, pack, unpack } from './files.ts'

/** The service whose builds are deployed. */
export const repository = 'payments-api'

export const buildFile = 'build.json'

interface BuildInfo {
  repository: string
  build: string
  files: Record<string, string>
}

/** The SHA-256 of `bytes`, as `sha256:` and 64 hexadecimal digits. */
export const checksumOf = (bytes: Uint8Array): string => `sha256:${hash('sha256', bytes)}`

/** The archive of the build named `build` that holds `files`. The same files give the same bytes. */
export async function packBuild(build: string, files: Files): Promise<Buffer> {
  const checksums = [...files].map(([path, { content }]) => [path, checksumOf(content)] as const)
  const info: BuildInfo = { repository, build, files: Object.fromEntries(checksums.sort(byPath)) }
  const content = Buffer.from(`${JSON.stringify(info, null, 2)}\n`)
  return await pack(new Map([...files, [buildFile, { content, executable: false }]]))
}

/**
 * The files in the archive of the build named `build`, its build.json among them.
 * @throws DeployError when the archive is damaged, or holds another build, or other files than its build.json lists
 */
export async function unpackBuild(build: string, archive: Buffer): Promise<Files> {
  const files = await unpack(archive)
  checkBuild(build, files)
  return files
}

/**
 * Whether `files` are the build named `build`, whole and unchanged.
 * @throws DeployError that says what is missing, changed or too much
 */
export function checkBuild(build: string, files: Files): void {
  const info = parseInfo(files.get(buildFile)?.content)
  if (info.repository !== repository || info.build !== build) {
    throw new DeployError(`it holds build ${info.build} of ${info.repository}`)
  }
  for (const [path, checksum] of Object.entries(info.files)) {
    const file = files.get(path)
    if (!file) throw new DeployError(`${path} is missing in it`)
    if (checksumOf(file.content) !== checksum) throw new DeployError(`${path} is not as ${buildFile} says`)
  }
  for (const path of files.keys()) {
    if (path !== buildFile && !Object.hasOwn(info.files, path)) {
      throw new DeployError(`it holds ${path}, which ${buildFile} does not list`)
    }
  }
}

/** The name of the build that a build.json names. */
export const buildNameIn = (text: string | Buffer): string => parseInfo(text).build

function parseInfo(text: string | Buffer | undefined): BuildInfo {
  if (text === undefined) throw new DeployError(`${buildFile} is missing in it`)
  try {
    const { repository, build, files } = JSON.parse(String(text))
    if (typeof build === 'string' && typeof files === 'object' && files !== null) {
      return { repository, build, files }
    }
  } catch {}
  throw new DeployError(`its ${buildFile} is unreadable`)
}

const byPath = ([a]: readonly [string, string], [b]: readonly [string, string]) => (a < b ? -1 : 1)
