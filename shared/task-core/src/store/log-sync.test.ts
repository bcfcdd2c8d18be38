import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { realWorld } from '../world.ts'
import type { Synchronous } from './database.ts'
import { openStore } from './index.ts'
import { createLogSync } from './log-sync.ts'

/** Syncs that are asked for, each of which the test lets end. */
function underControl() {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const asked: PromiseWithResolvers<void>[] = []
  const log = createLogSync('/nowhere/test.db', () => {
    const one = Promise.withResolvers<void>()
    asked.push(one)
    return one.promise
  })
  return { log, asked }
}

test('the commits of a while are synced at once, and without a commit nothing is', async () => {
  const { log, asked } = underControl()
  for (let nth = 0; nth < 10; nth += 1) log.committed()
  await vi.runAllTimersAsync()
  expect(asked).toHaveLength(1)
  asked[0]!.resolve()
  await vi.runAllTimersAsync()
  expect(asked).toHaveLength(1)
})

test('what is committed while the disk is at work is synced after that, and not beside it', async () => {
  const { log, asked } = underControl()
  log.committed()
  await vi.runAllTimersAsync()
  log.committed()
  await vi.runAllTimersAsync()
  expect(asked).toHaveLength(1)
  asked[0]!.resolve()
  await vi.runAllTimersAsync()
  expect(asked).toHaveLength(2)
})

test('a disk that fails is asked again at the next commit', async () => {
  const { log, asked } = underControl()
  log.committed()
  await vi.runAllTimersAsync()
  asked[0]!.reject(new Error('EIO'))
  await vi.runAllTimersAsync()
  log.committed()
  await vi.runAllTimersAsync()
  expect(asked).toHaveLength(2)
})

test('once it is closed nothing is synced', async () => {
  const { log, asked } = underControl()
  log.committed()
  log.close()
  await vi.runAllTimersAsync()
  expect(asked).toHaveLength(0)

  const other = underControl()
  other.log.committed()
  await vi.runAllTimersAsync()
  other.log.committed()
  other.log.close()
  other.asked[0]!.resolve()
  await vi.runAllTimersAsync()
  expect(other.asked).toHaveLength(1)
})

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'a2a-kit-'))
  onTestFinished(() => rm(made, { recursive: true }))
  return made
}

test('what a store has committed goes to the disk soon, without another commit', async () => {
  const file = join(await folder(), 'test.db')
  const store = openStore(file, realWorld)
  onTestFinished(() => store.close())
  const handle = await open(file)
  const datasync = vi.spyOn(Object.getPrototypeOf(handle), 'datasync')
  onTestFinished(() => datasync.mockRestore())
  await handle.close()

  await store.checkWritable()
  await vi.waitFor(() => expect(datasync).toHaveResolved(), 10_000)
})

test.each<[Synchronous, number]>([
  ['NORMAL', 1],
  ['FULL', 0],
])('with synchronous=%s, so many syncs are ahead after a commit: %i', async (synchronous, syncs) => {
  const store = openStore(join(await folder(), 'test.db'), realWorld, synchronous)
  onTestFinished(() => store.close())
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  await store.checkWritable()
  expect(vi.getTimerCount()).toBe(syncs)
})
