// For tests: a data folder of its own with three builds of a small service, and looks at what is on disk.
import { mkdir, mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { checkBuild } from './build.ts'
import { makeBuilds, openBuilds } from './builds.ts'
import type { Order } from './deploy.ts'
import { type EnvironmentsOptions, openEnvironments } from './environments.ts'
import { readTree } from './files.ts'
import { readJournal } from './journal.ts'

/** A temporary folder that is gone after the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'deployer-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** The sources of a small service. */
export async function sourceTree(): Promise<string> {
  const tree = join(await temporaryFolder(), 'tree')
  await mkdir(join(tree, 'src/routes'), { recursive: true })
  await writeFile(join(tree, 'package.json'), '{ "name": "payments-api" }\n')
  await writeFile(join(tree, 'src/routes/pay.js'), 'export const pay = () => 402\n')
  await writeFile(join(tree, 'start.sh'), 'node src\n', { mode: 0o755 })
  return tree
}

/** A data folder with the demo's builds. */
export async function dataWithBuilds(options: Partial<EnvironmentsOptions> = {}) {
  const data = await temporaryFolder()
  await makeBuilds(data, await sourceTree())
  const builds = openBuilds(data)
  return { data, builds, environments: openEnvironments({ data, builds, ...options }) }
}

/** An approved order for `build`, with a key of its own. */
export async function orderFor(data: string, build: string, changes: Partial<Order> = {}): Promise<Order> {
  const found = await openBuilds(data).find(build)
  return {
    build,
    checksum: found?.checksum ?? '',
    environment: 'staging',
    approval: { by: 'operator', at: '2026-10-06T09:00:01.000Z' },
    taskId: `task-${build}`,
    idempotencyKey: `task-${build}/step:deploy#1`,
    signal: new AbortController().signal,
    ...changes,
  }
}

/** What stands in an environment's folder; throws if a release is not whole. */
export async function lookAt(data: string, environment = 'staging') {
  const folder = join(data, 'environments', environment)
  const releases = (await readdir(join(folder, 'releases'))).filter((name) => !name.startsWith('.')).sort()
  for (const release of releases) {
    checkBuild(release.replace(/-[0-9a-f]{12}$/, ''), await readTree(join(folder, 'releases', release)))
  }
  const current = await readlink(join(folder, 'current')).catch(() => undefined)
  return {
    /** The name of the release that is current. */
    current: current && basename(current),
    releases,
    /** Everything that is there beside the releases. */
    names: (await readdir(folder)).sort(),
    journal: await readJournal(join(folder, 'journal.jsonl')),
  }
}
