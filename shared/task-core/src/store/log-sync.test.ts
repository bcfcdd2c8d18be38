import fs, { readdirSync, readlinkSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { realWorld } from '../world.ts'
import type { Synchronous } from './database.ts'
import { openStore } from './index.ts'
import { createLogSync } from './log-sync.ts'

/** The syncs of this process, which are done and seen. */
function watchSyncs() {
  const syncs = vi.spyOn(fs, 'fdatasync')
  syncBuiltinESMExports()
  onTestFinished(() => {
    syncs.mockRestore()
    syncBuiltinESMExports()
  })
  return syncs
}

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'a2a-kit-'))
  onTestFinished(() => rm(made, { recursive: true }))
  return made
}

/** Syncs that are asked for, each of which the test lets end. */
async function underControl() {
  const file = join(await folder(), 'test.db')
  const store = openStore(file, realWorld)
  onTestFinished(() => store.close())
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const asked: PromiseWithResolvers<void>[] = []
  const failures: string[] = []
  const log = createLogSync(file, {
    sync() {
      asked.push(Promise.withResolvers<void>())
      return asked.at(-1)!.promise
    },
    onFailure: ({ message }) => failures.push(message),
  })
  return { log, asked, failures }
}

/** Some time, in which what was ended goes on. */
const later = () => vi.advanceTimersByTimeAsync(1000)

test('the commits of a while are synced at once, and without a commit nothing is', async () => {
  const { log, asked } = await underControl()
  for (let nth = 0; nth < 10; nth += 1) log.committed()
  await later()
  expect(asked).toHaveLength(1)
  asked[0]!.resolve()
  await later()
  expect(asked).toHaveLength(1)
  log.close()
})

test('what is committed while the disk is at work is synced after that, and not beside it', async () => {
  const { log, asked } = await underControl()
  log.committed()
  await later()
  log.committed()
  await later()
  expect(asked).toHaveLength(1)
  asked[0]!.resolve()
  await later()
  expect(asked).toHaveLength(2)
  asked[1]!.resolve()
  await later()
  log.close()
})

test('a disk that fails is asked again without another commit, and that is said once until it has taken all', async () => {
  const { log, asked, failures } = await underControl()
  log.committed()
  await later()
  for (const error of ['EIO', 'EIO again']) {
    asked.at(-1)!.reject(new Error(error))
    await later()
  }
  expect([asked.length, failures]).toEqual([3, ['EIO']])
  asked.at(-1)!.resolve()
  await later()
  expect(asked).toHaveLength(3)
  log.committed()
  await later()
  asked.at(-1)!.reject(new Error('EIO later'))
  await later()
  expect(failures).toEqual(['EIO', 'EIO later'])
  asked.at(-1)!.resolve()
  await later()
  log.close()
})

/** How many descriptors this process has of logs. */
const descriptors = () =>
  readdirSync('/proc/self/fd').filter((one) => {
    try {
      return readlinkSync(`/proc/self/fd/${one}`).endsWith('test.db-wal')
    } catch {
      return false // that of the folder itself
    }
  }).length

test('once it is closed nothing is synced, and no descriptor is left, while the disk is at work neither', async () => {
  const { log, asked } = await underControl()
  const open = descriptors()
  log.committed()
  log.close()
  log.close()
  await later()
  expect([asked.length, descriptors()]).toEqual([0, open - 1])

  const other = await underControl()
  other.log.committed()
  await later()
  other.log.committed()
  other.log.close()
  const closing = descriptors()
  other.asked[0]!.resolve()
  await later()
  expect([other.asked.length, descriptors()]).toEqual([1, closing - 1])
})

test('what a store has committed goes to the disk soon, without another commit', async () => {
  const syncs = watchSyncs()
  const store = openStore(join(await folder(), 'test.db'), realWorld)
  onTestFinished(() => store.close())
  await store.checkWritable()
  await vi.waitFor(() => expect(syncs).toHaveBeenCalled(), 10_000)
})

test('a store that was closed and is opened again has a log to sync', async () => {
  const file = join(await folder(), 'test.db')
  openStore(file, realWorld).close()
  const syncs = watchSyncs()
  const again = openStore(file, realWorld)
  onTestFinished(() => again.close())
  await again.checkWritable()
  await vi.waitFor(() => expect(syncs).toHaveBeenCalled(), 10_000)
})

test.each<[Synchronous, number]>([
  ['NORMAL', 1],
  ['FULL', 0],
])('with synchronous=%s, so many syncs are ahead after a commit: %i', async (synchronous, syncs) => {
  const store = openStore(join(await folder(), 'test.db'), realWorld, { synchronous })
  onTestFinished(() => store.close())
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  await store.checkWritable()
  expect(vi.getTimerCount()).toBe(syncs)
})
