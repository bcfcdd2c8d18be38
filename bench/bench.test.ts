import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { checkEvents, completedTask } from './a2a.ts'
import { listed } from './cores.ts'
import { load } from './load.ts'
import { growthOf } from './parts/chunks.ts'
import { partNames } from './parts/index.ts'
import type { PartResult } from './report.ts'
import { ratios, spread } from './rounds.ts'

const runner = fileURLToPath(new URL('../scripts/run.mjs', import.meta.url))
const entry = fileURLToPath(new URL('bench.ts', import.meta.url))

async function runBench(...words: string[]) {
  const child = spawn(process.execPath, [runner, entry, ...words], { stdio: ['ignore', 'pipe', 'pipe'] })
  const exit = once(child, 'exit')
  const [output, errors] = await Promise.all([child.stdout.toArray(), child.stderr.toArray()])
  return { code: (await exit)[0], output: output.join(''), errors: errors.join('') }
}

/** A server that answers everything with `reply`. */
async function serverWith(reply: string, status = 200): Promise<string> {
  const server = createServer((_request, response) => response.writeHead(status).end(reply)).listen(0)
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const reply = (state: string) =>
  JSON.stringify({
    result: { task: { id: 't', status: { state }, artifacts: [{ parts: [{ text: 'b' }] }] } },
  })

const loadOn = (url: string) =>
  load(
    { url, cpuTime: async () => 0 },
    { seconds: 0.05, body: () => '{}', check: (text) => void completedTask(text, 1) },
  )

test('every part reports its figures as a table and as JSON', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'a2a-kit-bench-test-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const out = join(folder, 'figures.json')
  const { code, output, errors } = await runBench('--quick', '--out', out)
  expect(errors).toBe('')
  expect(code).toBe(0)
  expect(output).toMatch(/SendMessage.*\bbare +\d.*\bkit +\d.*GetTask.*4,000 chunks +\d/s)
  const { results } = JSON.parse(await readFile(out, 'utf8'))
  expect(results.map(({ part }: { part: string }) => part)).toEqual(partNames)
  for (const { columns, rows } of results.flatMap(({ tables }: PartResult) => tables)) {
    for (const { values } of rows) expect(values).toHaveLength(columns.length)
  }
}, 60_000)

test('an unknown part is refused with the parts there are', async () => {
  const { code, errors } = await runBench('sned')
  expect(code).toBe(1)
  expect(errors).toContain('there is no part "sned". There are: send, get, ')
})

test('the load counts good replies', async () => {
  const { rate } = await loadOn(await serverWith(reply('TASK_STATE_COMPLETED')))
  expect(rate).toBeGreaterThan(0)
})

test.each([
  ['a task that failed', reply('TASK_STATE_FAILED')],
  ['a task without the artifact', '{"result":{"task":{"status":{"state":"TASK_STATE_COMPLETED"}}}}'],
  ['an error', '{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"no"}}'],
  ['something that is not JSON', 'sorry'],
])('the load fails on a reply with %s', async (_what, wrong) => {
  await expect(loadOn(await serverWith(wrong))).rejects.toThrow('this is not a completed task')
})

test('the load fails on an HTTP error, whatever its body says', async () => {
  await expect(loadOn(await serverWith(reply('TASK_STATE_COMPLETED'), 503))).rejects.toThrow('HTTP errors')
})

test('a task with another number of events is refused', async () => {
  const url = await serverWith('id: 1\ndata: {}\n\nid: 2\ndata: {}\n\n')
  const task = completedTask(reply('TASK_STATE_COMPLETED'), 1)
  await expect(checkEvents(url, task, 4)).rejects.toThrow('task t has 2 events instead of 4')
})

test('figures are medians, and ratios are taken round by round', () => {
  expect(spread([3, 1, 2])).toEqual({ median: 2, low: 1, high: 3 })
  expect(spread([4, 1, 2, 3])).toEqual({ median: 2.5, low: 1, high: 4 })
  expect(ratios([10, 30, 40], [20, 30, 160])).toEqual({ median: 0.5, low: 0.25, high: 1 })
})

test('four times the chunks may take a bit more than four times as long, not sixteen times', () => {
  expect(growthOf(4.4)).toBe('growth is linear')
  expect(growthOf(15)).toBe('growth is not linear')
})

test('the cores that taskset lists are read in each form', () => {
  expect(listed("pid 7's current affinity list: 0,1\n")).toEqual([0, 1])
  expect(listed("pid 7's current affinity list: 0-2,5\n")).toEqual([0, 1, 2, 5])
})
