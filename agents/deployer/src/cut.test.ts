// SIGKILL before each call that changes the disk and in the middle of each write: deploys and builds are whole or not there.
import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { demoBuilds, makeBuilds, openBuilds } from './builds.ts'
import type { Work } from './cut.child.ts'
import { openEnvironments } from './environments.ts'
import { dataWithBuilds, lookAt, orderFor, sourceTree, temporaryFolder } from './test-data.ts'

const timeout = 300_000
const child = join(import.meta.dirname, 'cut.child.ts')
const [first, second, third] = ['2026.09.29-1', '2026.10.05-2', '2026.10.06-1'] as const
const open = (data: string) => openEnvironments({ data, builds: openBuilds(data) })

describe('a deploy that is cut', { timeout }, () => {
  it('anywhere is finished by the same order, respected by any other, and undone by a cancel', async () => {
    const { data: fresh } = await dataWithBuilds()
    await open(fresh).deploy(await orderFor(fresh, first))
    const order = await orderFor(fresh, second)
    const calls = await run({ data: await copyOf(fresh), order })

    const states = await forEachCut([1, calls], async (killAt, at) => {
      const data = await copyOf(fresh)
      await kill({ data, order, killAt })

      // `current` points at a whole release, the old or the new.
      const { current, releases, journal, names } = await lookAt(await copyOf(data))
      expect(releases, at).toContain(current)
      const switched = current?.startsWith(second) ?? false

      const again = await copyOf(data)
      const line = await open(again).deploy(order)
      await expectTidy(again, [first, second], at)
      expect((await lookAt(again)).journal.at(-1), at).toEqual(line)

      const between = await copyOf(data)
      await open(between).deploy(await orderFor(between, third))
      await open(between).deploy(order)
      await expectTidy(between, switched ? [first, second, third] : [first, third, second], at)

      const done = await open(data).deployedBy(order.taskId)
      expect(done?.build, at).toBe(switched ? second : undefined)
      await expectTidy(data, switched ? [first, second] : [first], at)

      return [
        `${releases.length} releases, ${journal.length} lines`,
        switched ? 'the new is current' : 'the old is current',
        names.includes('pending.json') ? 'pending' : 'tidy',
      ].join(', ')
    })

    // Every way to be cut was among them.
    expect([...new Set(states)]).toEqual([
      '1 releases, 1 lines, the old is current, tidy',
      '1 releases, 1 lines, the old is current, pending',
      '2 releases, 1 lines, the old is current, pending',
      '2 releases, 1 lines, the new is current, pending',
      '2 releases, 2 lines, the new is current, pending',
      '2 releases, 2 lines, the new is current, tidy',
    ])
  })

  it('while it makes the folder of the environment is finished by the same order', async () => {
    const { data: fresh } = await dataWithBuilds()
    const order = await orderFor(fresh, first)
    await forEachCut([1, 12], async (killAt, at) => {
      const data = await copyOf(fresh)
      await kill({ data, order, killAt })
      await open(data).deploy(order)
      await expectTidy(data, [first], at)
    })
  })
})

describe('a deploy that is cut while a cancel undoes it', { timeout }, () => {
  it('leaves no half of a release in sight, and can be done later', async () => {
    const { data: fresh } = await dataWithBuilds()
    await open(fresh).deploy(await orderFor(fresh, first))
    const order = await orderFor(fresh, second)
    const calls = await run({ data: await copyOf(fresh), order, cancel: true })
    await forEachCut([calls - 12, calls], async (killAt, at) => {
      const data = await copyOf(fresh)
      await kill({ data, order, cancel: true, killAt })
      expect((await lookAt(await copyOf(data))).current, at).toMatch(first)
      await open(data).deploy(order)
      await expectTidy(data, [first, second], at)
    })
  })
})

describe('the making of builds that is cut', { timeout }, () => {
  it('anywhere leaves only whole builds, and is finished by the next one', async () => {
    const tree = await sourceTree()
    const { builds } = await dataWithBuilds()
    const all = await Promise.all(demoBuilds.map(builds.find))
    const calls = await run({ data: await temporaryFolder(), tree })
    await forEachCut([1, calls], async (killAt, at) => {
      const data = await temporaryFolder()
      await kill({ data, tree, killAt })
      const cut = openBuilds(data)
      for (const name of await cut.known()) await cut.read((await cut.find(name))!)
      await makeBuilds(data, tree)
      expect(await Promise.all(demoBuilds.map(cut.find)), at).toEqual(all)
    })
  })
})

// Hundreds of short processes: a Node.js that reads TypeScript by itself and remembers what it compiled starts in half the time.
const loader = process.features.typescript ? [] : ['--import', 'tsx']
const compileCache = await mkdtemp(join(tmpdir(), 'deployer-compiled-'))
afterAll(() => rm(compileCache, { recursive: true, force: true }))
const env = { ...process.env, NODE_COMPILE_CACHE: compileCache }

/** Does the work in a process of its own; gives the number of calls that changed the disk. */
async function run(work: Work): Promise<number> {
  const args = [...loader, child, JSON.stringify(work)]
  const { stdout } = await promisify(execFile)(process.execPath, args, { env })
  return Number(stdout)
}

async function kill(work: Work): Promise<void> {
  await expect(run(work)).rejects.toMatchObject({ signal: 'SIGKILL' })
}

/** Calls `check` for each call to be killed at, two at once. */
async function forEachCut<T>(
  [from, to]: [number, number],
  check: (killAt: number, at: string) => Promise<T>,
): Promise<T[]> {
  const results: T[] = []
  let next = from
  const lane = async () => {
    for (let killAt = next++; killAt <= to; killAt = next++) {
      results[killAt - from] = await check(killAt, `killed at call ${killAt}`)
    }
  }
  await Promise.all([lane(), lane()])
  return results
}

async function copyOf(folder: string): Promise<string> {
  const copy = join(await temporaryFolder(), 'data')
  await cp(folder, copy, { recursive: true, verbatimSymlinks: true })
  return copy
}

/** These builds were deployed in this order, each journaled once, the last is current, and nothing else is left. */
async function expectTidy(data: string, builds: string[], at: string): Promise<void> {
  const { current, releases, names, journal } = await lookAt(data)
  expect(
    journal.map(({ build }) => build),
    at,
  ).toEqual(builds)
  expect(
    journal.map(({ previousBuild }) => previousBuild),
    at,
  ).toEqual([null, ...builds.slice(0, -1)])
  expect(journal.at(-1)?.release, at).toMatch(new RegExp(`/${current}$`))
  expect(releases, at).toHaveLength(builds.length)
  expect(names, at).toEqual(['current', 'journal.jsonl', 'releases'])
}
