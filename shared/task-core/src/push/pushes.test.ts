import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { createWriter } from '../engine/writer.ts'
import { createFeed } from '../feed/feed.ts'
import { defaultSettings } from '../settings.ts'
import { openStore } from '../store/index.ts'
import { realWorld as world } from '../world.ts'
import { createHosts } from './hosts.ts'
import { createPushes } from './pushes.ts'

/** A store with a task whose event is due for the receivers at `urls`, and another caller's for those at `ofAnother`. */
async function storeWith(urls: string[], ofAnother: string[] = []) {
  const folder = await mkdtemp(join(tmpdir(), 'a2a-kit-'))
  const store = openStore(join(folder, 'test.db'), world)
  onTestFinished(async () => {
    store.close()
    await rm(folder, { recursive: true })
  })
  const log = pino({ level: 'silent' })
  const { create } = createWriter({ store, feed: createFeed(store), pushes: { wake: () => {} }, world, log })
  const parts = [{ text: 'x' }]
  const put = (owner: string, all: string[]) => {
    const { task } = create(owner, { messageId: 'm', role: 'ROLE_USER', parts })
    const config = {
      task,
      token: null,
      scheme: null,
      credentials: null,
      version: '1.0',
      delivered: 0,
    } as const
    all.forEach((url, nth) => void store.writing.pushConfigs.insert({ ...config, url, id: `${nth}` }))
  }
  await store.write(() => {
    put('me', urls)
    put('another', ofAnother)
  })
  return { store, log }
}

/** A receiver that answers nothing. */
async function silentReceiver() {
  let requests = 0
  const server = createServer(() => {
    requests += 1
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, requests: () => requests }
}

test('a receiver that waits for its turn holds nothing of the log: with many of them a start would end for lack of memory', async () => {
  const { url, requests } = await silentReceiver()
  const { store, log } = await storeWith(Array(100).fill(url))
  const { events } = store.committed
  let reads = 0
  const after: typeof events.after = (...all) => {
    reads += 1
    return events.after(...all)
  }
  const watched = { ...store, committed: { ...store.committed, events: { ...events, after } } }
  const hosts = createHosts(['127.0.0.1'])
  const pushes = createPushes({ store: watched, world, log, settings: defaultSettings, hosts })
  onTestFinished(pushes.close)
  pushes.open()
  await expect.poll(requests).toBe(50)
  expect([pushes.sending(), reads]).toEqual([100, 50])
})

test('a host that hangs holds up no other', async () => {
  const [hanging, other] = [await silentReceiver(), await silentReceiver()]
  const { store, log } = await storeWith([...Array(300).fill(hanging.url), other.url])
  const hosts = createHosts(['127.0.0.1'])
  const pushes = createPushes({ store, world, log, settings: defaultSettings, hosts })
  onTestFinished(pushes.close)
  pushes.open()
  await expect.poll(other.requests).toBe(1)
  expect(pushes.sending()).toBe(301)
})

test('a caller whose hosts all hang holds up no other caller, at one of these hosts neither', async () => {
  const hanging = await Promise.all(Array.from({ length: 5 }, silentReceiver))
  const other = await silentReceiver()
  const urls = hanging.flatMap(({ url }) => Array<string>(50).fill(url))
  const { store, log } = await storeWith(urls, [other.url, hanging[0]!.url])
  const hosts = createHosts(['127.0.0.1'])
  const pushes = createPushes({ store, world, log, settings: defaultSettings, hosts })
  onTestFinished(pushes.close)
  pushes.open()
  await expect.poll(other.requests).toBe(1)
  await expect.poll(() => hanging.reduce((sum, { requests }) => sum + requests(), 0)).toBe(181)
  expect(hanging[0]!.requests()).toBe(51)
})
