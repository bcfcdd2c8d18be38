import { execFile } from 'node:child_process'
import { appendFile, copyFile, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { checksumOf } from './build.ts'
import { demoBuilds, makeBuilds, openBuilds } from './builds.ts'
import { dataWithBuilds, sourceTree, temporaryFolder } from './test-data.ts'

const build = '2026.10.06-1'

describe('the builds', () => {
  it('are known by name, each with the checksum of its archive', async () => {
    const { data, builds } = await dataWithBuilds()
    expect(await builds.known()).toEqual(['2026.09.29-1', '2026.10.05-2', '2026.10.06-1'])
    for (const name of demoBuilds) {
      const archive = await readFile(join(data, 'builds', `${name}.tar.gz`))
      expect(await builds.find(name)).toEqual({ build: name, checksum: checksumOf(archive) })
    }
  })

  it('have checksums that differ, and that sha256sum agrees to', async () => {
    const { data, builds } = await dataWithBuilds()
    const checksums = await Promise.all(demoBuilds.map(async (name) => (await builds.find(name))?.checksum))
    expect(new Set(checksums).size).toBe(demoBuilds.length)
    const files = demoBuilds.map((name) => `${name}.tar.gz.sha256`)
    await promisify(execFile)('sha256sum', ['--check', ...files], { cwd: join(data, 'builds') })
  })

  it('have the same checksum wherever and whenever they are made', async () => {
    const [here, there] = [await temporaryFolder(), await temporaryFolder()]
    const tree = await sourceTree()
    await makeBuilds(here, tree)
    await utimes(join(tree, 'package.json'), 1, 1)
    await makeBuilds(there, tree)
    expect(await openBuilds(here).find(build)).toEqual(await openBuilds(there).find(build))
  })

  it('are left as they are when they are made again, even from changed sources', async () => {
    const data = await temporaryFolder()
    const tree = await sourceTree()
    await makeBuilds(data, tree)
    const archive = join(data, 'builds', `${build}.tar.gz`)
    const before = [await stat(archive), await openBuilds(data).find(build)]
    await writeFile(join(tree, 'package.json'), '{}')
    await makeBuilds(data, tree)
    expect([await stat(archive), await openBuilds(data).find(build)]).toEqual(before)
  })

  it('hold the sources and a build.json that names the build', async () => {
    const { builds } = await dataWithBuilds()
    const files = await builds.read((await builds.find(build))!)
    expect([...files.keys()].sort()).toEqual(['build.json', 'package.json', 'src/routes/pay.js', 'start.sh'])
    const info = JSON.parse(String(files.get('build.json')?.content))
    expect(info).toMatchObject({ repository: 'payments-api', build })
    expect(Object.keys(info.files)).toEqual(['package.json', 'src/routes/pay.js', 'start.sh'])
  })

  it('can be made from what the demo deploys', async () => {
    const data = await temporaryFolder()
    await makeBuilds(data, join(import.meta.dirname, '../../../fixtures/payments-api/tree'))
    const builds = openBuilds(data)
    const files = await builds.read((await builds.find(build))!)
    expect(JSON.parse(String(files.get('package.json')?.content)).name).toBe('payments-api')
  })

  it('are unknown where none were made', async () => {
    const builds = openBuilds(await temporaryFolder())
    expect(await builds.known()).toEqual([])
    expect(await builds.find('../../etc/passwd')).toBeUndefined()
  })
})

describe('reading a build', () => {
  const error = (what: string) => `The archive of build ${build} cannot be deployed: ${what}`

  it('says so when the archive is not there', async () => {
    const { data, builds } = await dataWithBuilds()
    const found = (await builds.find(build))!
    await rm(join(data, 'builds', `${build}.tar.gz`))
    await expect(builds.read(found)).rejects.toThrow(error('it is not there'))
  })

  it('names both checksums when the archive was changed', async () => {
    const { data, builds } = await dataWithBuilds()
    const found = (await builds.find(build))!
    const archive = join(data, 'builds', `${build}.tar.gz`)
    await appendFile(archive, 'x')
    const now = checksumOf(await readFile(archive))
    await expect(builds.read(found)).rejects.toThrow(
      error(`its checksum is ${now}, and it should be ${found.checksum}`),
    )
  })

  it('refuses the archive of another build, though the checksum is its own', async () => {
    const { data, builds } = await dataWithBuilds()
    const other = (await builds.find('2026.10.05-2'))!
    await copyFile(join(data, 'builds', '2026.10.05-2.tar.gz'), join(data, 'builds', `${build}.tar.gz`))
    await expect(builds.read({ build, checksum: other.checksum })).rejects.toThrow(
      error('it holds build 2026.10.05-2 of payments-api'),
    )
  })

  it('says so when a checksum file holds no checksum', async () => {
    const { data, builds } = await dataWithBuilds()
    await writeFile(join(data, 'builds', `${build}.tar.gz.sha256`), 'soon\n')
    await expect(builds.find(build)).rejects.toThrow(`builds/${build}.tar.gz.sha256 does not hold a checksum`)
  })
})
