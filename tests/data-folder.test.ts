// The folder of the data: one process at a time, files of other versions, disks that are full or closed, and other writers.
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { spawnAgent, startChild } from './support/child.ts'
import { startProbe, temporaryFolder, userMessage } from './support/probe.ts'
import { says } from './support/talk.ts'
import { untilState } from './support/wait.ts'

const file = (dataDir: string) => join(dataDir, 'conformance.db')
const versionOf = (dataDir: string) => {
  const db = new Database(file(dataDir), { readonly: true })
  const version = db.pragma('user_version', { simple: true })
  db.close()
  return version
}

test('a second process on the same data is refused in one line, and the first does not notice', async () => {
  const first = await startChild()
  const second = spawnAgent(0, { dataDir: first.dataDir })
  expect(await second.ended).toBe(1)
  expect(second.log()).toBe(
    `Cannot start conformance: ${file(first.dataDir)} is in use by another process. Stop that one, or set another DATA_DIR.\n`,
  )
  const { result } = await first.call('JSONRPC', 'SendMessage', { message: userMessage('complete') })
  expect(result.task.status.state).toBe('TASK_STATE_COMPLETED')
})

describe('a data file', () => {
  test('of a newer version is refused, and stays as it is', async () => {
    const dataDir = await temporaryFolder()
    await startProbe({ dataDir }).then(({ close }) => close())
    const db = new Database(file(dataDir))
    db.pragma('user_version = 99')
    db.close()
    await expect(startProbe({ dataDir })).rejects.toThrow(
      /conformance\.db has schema version 99, and this version of the kit knows \d+\. Use a newer kit, or another DATA_DIR\.$/,
    )
    expect(versionOf(dataDir)).toBe(99)
    await expect(startProbe({ dataDir })).rejects.toThrow('schema version 99') // and is not left locked
  })

  test('that is new or of version 0 gets this version’s tables, once', async () => {
    const dataDir = await temporaryFolder()
    await writeFile(file(dataDir), '')
    const before = await startProbe({ dataDir })
    const { result } = await before.call('JSONRPC', 'SendMessage', { message: userMessage('ask') })
    await before.close()
    const version = versionOf(dataDir)
    expect(version).toBeGreaterThan(0)
    const after = await startProbe({ dataDir })
    await untilState(after, result.task.id, 'INPUT_REQUIRED')
    await after.close()
    expect(versionOf(dataDir)).toBe(version)
  })

  test('that is none is refused with its name', async () => {
    const dataDir = await temporaryFolder()
    await writeFile(file(dataDir), 'not a database, but long enough to be taken for one '.repeat(100))
    await expect(startProbe({ dataDir })).rejects.toThrow(
      `${file(dataDir)} cannot be opened: file is not a database`,
    )
  })

  test.each([
    ['tasks_due', 'which is read at the start'],
    ['sqlite_schema', 'which says what there is'],
  ])(
    'of which %s is damaged, %s, is refused with its name and a way out, and is not left locked',
    async (table) => {
      const dataDir = await temporaryFolder()
      await startProbe({ dataDir }).then(({ close }) => close())
      const db = new Database(file(dataDir))
      const rootOf = 'SELECT rootpage FROM sqlite_schema WHERE name = ?'
      const page = (db.prepare(rootOf).pluck().get(table) as number | undefined) ?? 1
      db.close()
      const content = await readFile(file(dataDir))
      // The head of the file stays, so that it is known as a database.
      await writeFile(file(dataDir), content.fill(0xa5, Math.max((page - 1) * 4096, 100), page * 4096))
      const refused = expect.objectContaining({
        message: `${file(dataDir)} cannot be opened: database disk image is malformed. The file is damaged: put a copy of the data back with npm run restore`,
      })
      await expect(startProbe({ dataDir })).rejects.toEqual(refused)
      await expect(startProbe({ dataDir })).rejects.toEqual(refused)
    },
  )
})

test('SQLITE-BUSY: a folder that cannot be written to is refused in one line', async () => {
  const folder = await temporaryFolder()
  await chmod(folder, 0o555)
  // Nothing is closed to root: for root it is a folder where a file is.
  const asRoot = process.getuid?.() === 0
  if (asRoot) await writeFile(join(folder, 'data'), '')
  const agent = spawnAgent(0, { dataDir: join(folder, 'data') })
  expect(await agent.ended).toBe(1)
  expect(agent.log()).toMatch(/^Cannot start conformance: \S+\.db cannot be opened: [^\n]+\n$/)
})

test.skipIf(!existsSync('/proc/self'))('a folder that cannot be made is refused in one line', async () => {
  for (const name of ['code-reviewer', 'deployer', 'early-access', 'conformance']) {
    const agent = spawnAgent(0, { main: `agents/${name}/src/main.ts`, dataDir: '/proc/none/data' })
    expect(await agent.ended, name).toBe(1)
    expect(agent.log()).toMatch(/^Cannot start\b[^\n]*: [^\n]*mkdir '\/proc\/none'\n$/)
  }
})

test('SQLITE-BUSY: a full disk is an error for who sends, clear in the log, and leaves no half-written task', async () => {
  const full = await startChild({ fileLimit: 400, env: { LOG_LEVEL: 'error' } })
  const taken: string[] = []
  let refused: { message: object; code: number } | undefined
  while (!refused) {
    const message = userMessage(`artifact a ${'x'.repeat(5000)}`)
    const { result, error } = await full.call('JSONRPC', 'SendMessage', {
      message,
      configuration: { returnImmediately: true },
    })
    if (result) taken.push(result.task.id)
    else refused = { message, code: error!.code }
  }
  expect(refused.code).toBe(-32603)
  expect(taken.length).toBeGreaterThan(0)
  expect((await fetch(`${full.url}/health`)).status).toBe(200)
  for (const id of taken) expect((await full.call('JSONRPC', 'GetTask', { id })).result.id).toBe(id)
  expect(full.log()).toMatch(/"level":50.*The store could not/)
  await full.end('SIGKILL')

  const after = await full.again({ fileLimit: 0 })
  for (const id of taken) {
    const { artifacts } = await untilState(after, id, 'COMPLETED')
    expect(artifacts).toHaveLength(1)
  }
  const again = await after.call('JSONRPC', 'SendMessage', { message: refused.message })
  expect(again.result.task.status.state).toBe('TASK_STATE_COMPLETED')
  const { result } = await after.call('JSONRPC', 'ListTasks', { pageSize: 100 })
  expect([result.totalSize, result.tasks.length]).toEqual([taken.length + 1, taken.length + 1])
})

test('SQLITE-BUSY: sends succeed while another connection stands in the middle of a read', async () => {
  const probe = await startProbe()
  const send = async (text: string) =>
    (await probe.call('JSONRPC', 'SendMessage', { message: userMessage(text) })).result.task
  await send('working; complete')
  const reader = new Database(file(probe.dataDir), { readonly: true })
  const rows = reader.prepare('SELECT * FROM events').iterate()
  expect(rows.next().done).toBe(false)
  for (let nth = 0; nth < 20; nth += 1) {
    expect((await send('artifact a b; complete')).status.state).toBe('TASK_STATE_COMPLETED')
  }
  rows.return!()
  reader.close()
})

test('SQLITE-BUSY: sends succeed while another process locks the file again and again', async () => {
  const probe = await startProbe()
  const lock = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads')
     const Database = require('better-sqlite3')
     const db = new Database(workerData, { timeout: 10000 })
     const wait = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
     for (let round = 0; round < 5; round += 1) {
       db.exec('BEGIN IMMEDIATE')
       if (round === 0) parentPort.postMessage('locked')
       wait(300)
       db.exec('ROLLBACK')
       wait(30)
     }`,
    { eval: true, workerData: file(probe.dataDir) },
  )
  const ended = once(lock, 'exit')
  await once(lock, 'message')
  const sends = Array.from({ length: 200 }, (_, nth) =>
    probe.call('JSONRPC', 'SendMessage', { message: userMessage(`complete ${nth}`) }),
  )
  for (const [nth, { result, error }] of (await Promise.all(sends)).entries()) {
    expect(error).toBeUndefined()
    expect(says(result.task)).toBe(`${nth}`)
  }
  await ended
})
