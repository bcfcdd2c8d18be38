// The builds that can be deployed: `<data>/builds/<build>.tar.gz`, each with its checksum beside it.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { checksumOf, packBuild, repository, unpackBuild } from './build.ts'
import { DeployError } from './deploy-error.ts'
import { makeFolder, missing, readIfThere, replaceFile } from './disk.ts'
import { type Files, readTree } from './files.ts'

/** A build by its name, with the checksum of its archive (`sha256:` and 64 hexadecimal digits). */
export interface Build {
  build: string
  checksum: string
}

export interface Builds {
  /** The names of all builds, sorted. */
  known(): Promise<string[]>
  /** The build of this name, or undefined if there is none. */
  find(build: string): Promise<Build | undefined>
  /**
   * The files of a build, checked.
   * @throws DeployError when the archive is not there, is damaged, or does not have the checksum
   */
  read(build: Build): Promise<Files>
}

/** What `makeBuilds` makes when it is not told. */
export const demoBuilds = ['2026.09.29-1', '2026.10.05-2', '2026.10.06-1']

// In the form of sha256sum, so that `sha256sum --check *.sha256` checks them all.
const checksumEnding = '.tar.gz.sha256'

/** The builds below the folder `data`. */
export function openBuilds(data: string): Builds {
  const folder = join(data, 'builds')
  const known = async () =>
    (await readdir(folder).catch(missing([])))
      .filter((name) => name.endsWith(checksumEnding))
      .map((name) => name.slice(0, -checksumEnding.length))
      .sort()

  return {
    known,

    async find(build) {
      if (!(await known()).includes(build)) return undefined
      const digits = (await readFile(join(folder, `${build}${checksumEnding}`), 'utf8')).slice(0, 64)
      if (!/^[0-9a-f]{64}$/.test(digits)) {
        throw new DeployError(`builds/${build}${checksumEnding} does not hold a checksum.`)
      }
      return { build, checksum: `sha256:${digits}` }
    },

    async read({ build, checksum }) {
      const archive = await readFile(join(folder, `${build}.tar.gz`)).catch(missing(undefined))
      const wrong = (what: string) =>
        new DeployError(`The archive of build ${build} cannot be deployed: ${what}.`)
      if (!archive) throw wrong('it is not there')
      const found = checksumOf(archive)
      if (found !== checksum) throw wrong(`its checksum is ${found}, and it should be ${checksum}`)
      return await unpackBuild(build, archive).catch((error) => {
        throw error instanceof DeployError ? wrong(error.message) : error
      })
    },
  }
}

/**
 * Makes the builds named in `builds` from the files in the folder `tree`, into `<data>/builds/`. A build that is there is left as it is:
 * a build never changes. Can be cut at any moment and called again.
 */
export async function makeBuilds(data: string, tree: string, builds = demoBuilds): Promise<void> {
  const folder = join(data, 'builds')
  await makeFolder(folder)
  const files = await readTree(tree)
  if (files.size === 0) throw new DeployError(`There is nothing to build ${repository} from in ${tree}.`)
  for (const build of builds) {
    const archive = join(folder, `${build}.tar.gz`)
    // The checksum is written last, so where it stands the archive is whole.
    if (await readIfThere(`${archive}.sha256`)) continue
    const bytes = await packBuild(build, files)
    await replaceFile(archive, bytes)
    const [, digits] = checksumOf(bytes).split(':')
    await replaceFile(`${archive}.sha256`, `${digits}  ${build}.tar.gz\n`)
  }
}
