import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as connectionServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { root } from '../scripts/kit.ts'
import { until } from '../tests/support/wait.ts'
import { checkEvents, checkSame, completedTask, framesOf, storyOf, tasksOnce } from './a2a.ts'
import { closedLoop } from './closed-loop.ts'
import { listed } from './cores.ts'
import { load } from './load.ts'
import { help, readOptions } from './options.ts'
import { isAtMostLinear } from './parts/chunks.ts'
import { limitOf, named } from './parts/compare.ts'
import { partNames } from './parts/index.ts'
import { type Peer, startPeer } from './peer.ts'
import { type PartResult, showTargets } from './report.ts'
import { percentile, ratios, spread } from './rounds.ts'
import { subscribe } from './subscribers.ts'
import { atLeast, atMost } from './targets.ts'

const runner = fileURLToPath(new URL('../scripts/run.mjs', import.meta.url))
const entry = fileURLToPath(new URL('bench.ts', import.meta.url))

async function runBench(...words: string[]) {
  const child = spawn(process.execPath, [runner, entry, ...words], { stdio: ['ignore', 'pipe', 'pipe'] })
  const exit = once(child, 'exit')
  const [output, errors] = await Promise.all([child.stdout.toArray(), child.stderr.toArray()])
  return { code: (await exit)[0], output: output.join(''), errors: errors.join('') }
}

/** A server that answers everything with `reply`. */
async function serverWith(reply: string, status = 200) {
  const server = createServer((_request, response) => response.writeHead(status).end(reply)).listen(0)
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, cpuTime: async () => 0 }
}

/** A bare server in a process of its own, as the parts start them. */
async function startBare() {
  const cores = { serverPrefix: [], note: '' }
  const peer = await startPeer('bare', { cores, profileTo: undefined, env: { REPLY: completed } })
  onTestFinished(() => peer.stop())
  return peer
}

const replyOf = (state: string, ...texts: string[]) => {
  const artifacts = [{ parts: texts.map((text) => ({ text })) }]
  return JSON.stringify({ result: { task: { id: 't', status: { state }, artifacts } } })
}
const completed = replyOf('TASK_STATE_COMPLETED', 'b')

const streamOf = (...frames: string[]) => frames.map((frame) => `data: {"result":{${frame}}}\n\n`).join('')
const submitted = '"task":{"id":"t","status":{"state":"TASK_STATE_SUBMITTED"}}'
const working = '"statusUpdate":{"taskId":"t","status":{"state":"TASK_STATE_WORKING"}}'
const artifact = '"artifactUpdate":{"taskId":"t","artifact":{}}'
const done = '"statusUpdate":{"taskId":"t","status":{"state":"TASK_STATE_COMPLETED"}}'
const told = streamOf(submitted, working, artifact, done)

type Server = Pick<Peer, 'url' | 'cpuTime'>
const body = () => '{}'
const checkTask = (text: string) => void completedTask(text)
const loads = {
  autocannon: (server: Server, seconds: number, check: (reply: string) => void) =>
    load(server, { seconds, body, check }),
  'the closed loop': (server: Server, seconds: number, check: (reply: string) => void) =>
    closedLoop(server, { connections: 4, seconds, body, check }),
}
const both = Object.entries(loads)

test('every part reports its figures as a table and as JSON', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'a2a-kit-bench-test-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const out = join(folder, 'figures.json')
  const { code, output, errors } = await runBench('--quick', '--out', out)
  expect(errors).toBe('')
  expect(code).toBe(0)
  for (const name of Object.values(named)) expect(output).toMatch(new RegExp(`^ *${name} +\\d`, 'm'))
  const { results } = JSON.parse(await readFile(out, 'utf8'))
  expect(results.map(({ part }: { part: string }) => part)).toEqual(partNames)
  for (const { columns, rows } of results.flatMap(({ tables }: PartResult) => tables)) {
    for (const { values } of rows) expect(values).toHaveLength(columns.length)
  }
  for (const { part, targets } of results) expect(targets, part).not.toEqual([])
  expect(output).not.toMatch(/ (?:reached|missed)$/m)
  expect(output).toContain('\n--quick measures nothing: no target is judged.\n')
  expect(output).toMatch(new RegExp(`\nWritten to ${RegExp.escape(out)}\n$`))
}, 120_000)

test('with --strict a target that is missed is an error, and else only said', async () => {
  const out = 'bench/out/test.json'
  onTestFinished(() => rm(join(root, out)))
  const words = ['get', '--seconds', '0.05', '--rounds', '1', '--out', out]
  const { code, output, errors } = await runBench(...words, '--strict')
  const { targets } = JSON.parse(await readFile(join(root, out), 'utf8')).results[0]
  const [, said] = /^ *GetTask: kit \/ bare Fastify .* (reached|missed)$/m.exec(output)!
  expect({ code, errors }).toEqual({ code: said === 'missed' ? 1 : 0, errors: '' })
  expect(targets).toMatchObject([{ ok: said === 'reached' }])
  expect(output).toMatch(new RegExp(`\nWritten to ${RegExp.escape(out)}\n$`))
}, 60_000)

test.each([
  ['SIGINT', 130],
  ['SIGHUP', 129],
] as const)('%s to it and its servers stops it with a word, and leaves nothing', async (signal, expected) => {
  const folder = await mkdtemp(join(tmpdir(), 'a2a-kit-bench-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }))
  const out = join(folder, 'figures.json')
  const words = [runner, entry, 'send', '--seconds', '60', '--out', out]
  const env = { ...process.env, TMPDIR: folder }
  const child = spawn(process.execPath, words, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout.on('data', (some) => {
    output += some
  })
  const errors = child.stderr.toArray()
  const left = async () => (await readdir(folder)).filter((name) => /^a2a-kit|figures/.test(name))
  await until('the load', () => output.includes('warming up'))
  expect(await left()).not.toEqual([])
  process.kill(-child.pid!, signal)
  expect(await once(child, 'exit')).toEqual([expected, null])
  expect((await errors).join('')).toBe('bench: stopped; nothing was written.\n')
  await until('the end of all folders', async () => (await left()).length === 0)
})

test('a part that is named twice runs once', () => {
  expect(readOptions(['get', 'send', 'get']).parts).toEqual(['get', 'send'])
})

test('figures that could not be written are not taken', async () => {
  const { code, output, errors } = await runBench('get', '--out', tmpdir())
  expect({ code, output, errors }).toEqual({
    code: 1,
    output: '',
    errors: `bench: --out ${tmpdir()} is a folder.\n`,
  })
})

test.skipIf(!existsSync('/proc/self'))('a folder that cannot be made is refused in one line', async () => {
  const { code, errors } = await runBench('get', '--out', '/proc/none/figures.json')
  expect({ code, errors }).toEqual({
    code: 1,
    errors: expect.stringMatching(/^bench: [^\n]*mkdir '\/proc\/none'\n$/),
  })
})

test('an unknown part is refused with the parts there are', async () => {
  const { code, errors } = await runBench('sned')
  expect(code).toBe(1)
  expect(errors).toContain('there is no part "sned". There are: send, get, ')
})

describe.each(both)('the load of %s', (_name, run) => {
  test('counts good replies', async () => {
    const { rate } = await run(await serverWith(completed), 0.05, checkTask)
    expect(rate).toBeGreaterThan(0)
  })

  test.each([
    ['a task that failed', replyOf('TASK_STATE_FAILED', 'b')],
    ['a task without the artifact', '{"result":{"task":{"status":{"state":"TASK_STATE_COMPLETED"}}}}'],
    ['a part too many', replyOf('TASK_STATE_COMPLETED', 'b', 'b')],
    ['another text', replyOf('TASK_STATE_COMPLETED', 'c')],
    ['an error', '{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"no"}}'],
    ['something that is not JSON', 'sorry'],
  ])('fails on a reply with %s', async (_what, wrong) => {
    await expect(run(await serverWith(wrong), 0.05, checkTask)).rejects.toThrow(
      'this is not a completed task',
    )
  })

  test('fails on a server that closes a connection instead of answering', async () => {
    const server = createServer((request, response) => {
      answered += 1
      if (answered % 10 === 0) request.socket.end()
      else response.end(completed)
    }).listen(0)
    let answered = 0
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const running = run({ url, cpuTime: async () => 0 }, 0.05, checkTask)
    await expect(running).rejects.toThrow(/has ended a connection|other side closed/)
  })

  test('fails on an HTTP error, whatever its body says', async () => {
    await expect(run(await serverWith(completed, 503), 0.05, checkTask)).rejects.toThrow(/HTTP/)
  })

  test('fails on a server that dies under it, and says which', async () => {
    const bare = await startBare()
    const first = Promise.withResolvers<void>()
    const running = run(bare, 600, () => first.resolve())
    await first.promise
    process.kill(bare.pid, 'SIGKILL')
    await expect(running).rejects.toThrow('the bare server has ended')
  })
})

test('a stream of the four events in order is taken', () => {
  expect(storyOf(told)).toBe('t')
  expect(framesOf(`:\n${told}`)).toHaveLength(4)
})

test.each([
  ['with a frame too few', streamOf(submitted, working, done)],
  ['with a frame too many', streamOf(submitted, working, artifact, artifact, done)],
  ['in another order', streamOf(submitted, artifact, working, done)],
  ['that ends in another state', streamOf(submitted, working, artifact, working)],
  ['with an event of another task', told.replace(/"t"(?=,"artifact")/, '"u"')],
  ['that is cut', told.slice(0, -4)],
  ['that is an error', streamOf('"error":{"code":-32603}')],
])('the load fails on a stream %s', async (_what, wrong) => {
  const running = loads['the closed loop'](await serverWith(wrong), 0.05, storyOf)
  await expect(running).rejects.toThrow('this is not the stream of four events')
})

test('a comment is not taken for the first event of a stream', async () => {
  const timed = async (reply: string) => {
    const options = { connections: 1, seconds: 0.02, body, check: () => {} }
    return closedLoop(await serverWith(reply), options)
  }
  expect(new Set((await timed(':\n\n')).first)).toEqual(new Set([0]))
  expect((await timed(`:\n\n${told}`)).first).not.toContain(0)
})

const stream = (frames: string) => `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n${frames}`
const waits = 'id: 3\ndata: {"state":"TASK_STATE_INPUT_REQUIRED"}\n\n'

/** A server that answers each connection with `bytes`, and closes it then or not. */
async function subscribedWith(bytes: string, closes: boolean) {
  const server = connectionServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => (closes ? socket.end(bytes) : socket.write(bytes)))
  }).listen(0)
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

test('subscribers who get the event that they wait for stay', async () => {
  const all = await subscribe(await subscribedWith(stream(waits), false), '{}', 3, 3)
  expect(all).toHaveLength(3)
  for (const one of all) one.leave()
})

test.each([
  ['another event', stream(waits.replace('3', '2')), 'this is not event 3'],
  ['another state', stream(waits.replace('INPUT_REQUIRED', 'WORKING')), 'this is not event 3'],
  ['half a frame', stream(waits.slice(0, -1)), 'no frame came'],
  ['no stream', 'HTTP/1.1 503 Service Unavailable\r\n\r\n', 'no frame came'],
])('subscribers fail on %s', async (_what, bytes, why) => {
  await expect(subscribe(await subscribedWith(bytes, true), '{}', 3, 3)).rejects.toThrow(why)
})

test('subscribers fail on a server that dies, which then is said', async () => {
  const bare = await startBare()
  process.kill(bare.pid, 'SIGKILL')
  await expect(subscribe(bare.url, '{}', 3, 3)).rejects.toThrow('no frame came')
  await expect(bare.checkRuns()).rejects.toThrow('the bare server has ended')
  await bare.stop()
  await expect(bare.checkRuns()).resolves.toBeUndefined()
})

test('a task that was the answer to another message is refused', async () => {
  const idOf = (reply: string) => completedTask(reply).id
  const running = loads.autocannon(await serverWith(completed), 0.05, tasksOnce(idOf))
  await expect(running).rejects.toThrow('this task has answered another message')
})

test('a reply that should always be the same is refused when it is another', () => {
  expect(() => checkSame('{"a":2}', '{"a":1}')).toThrow('{"a":2}')
})

test('a server tells its memory and its time, and refuses what it cannot answer', async () => {
  const bare = await startBare()
  const [{ rss, heapUsed }, cpu] = await Promise.all([bare.memory(), bare.cpuTime()])
  expect(rss).toBeGreaterThan(heapUsed)
  expect(cpu).toBeGreaterThan(0)
  await expect(bare.ask('listeners')).rejects.toThrow('the bare server: it cannot answer "listeners"')
})

test('a task with another number of events is refused', async () => {
  const { url } = await serverWith('id: 1\ndata: {}\n\nid: 2\ndata: {}\n\n')
  const task = completedTask(completed)
  await expect(checkEvents(url, task, 4)).rejects.toThrow('task t has 2 events instead of 4')
})

test('figures are medians, and ratios are taken round by round', () => {
  expect(spread([3, 1, 2])).toEqual({ median: 2, low: 1, high: 3, rounds: [3, 1, 2] })
  expect(spread([4, 1, 2, 3])).toMatchObject({ median: 2.5, low: 1, high: 4 })
  expect(ratios([10, 30, 40], [20, 30, 160])).toMatchObject({ median: 0.5, low: 0.25, high: 1 })
  expect([percentile([3, 1, 2, 4], 0.5), percentile([3, 1, 2, 4], 0.99)]).toEqual([2, 4])
})

test('four times the chunks may take a bit more than four times as long, not sixteen times', () => {
  expect(isAtMostLinear(spread([4.4]))).toBe(true)
  expect(isAtMostLinear(spread([15]))).toBe(false)
})

test('the cores that taskset lists are read in each form', () => {
  expect(listed("pid 7's current affinity list: 0,1\n")).toEqual([0, 1])
  expect(listed("pid 7's current affinity list: 0-2,5\n")).toEqual([0, 1, 2, 5])
})

test('a target counts by the median, and by its bound', () => {
  const reached = spread([0.5, 2, 9])
  const wanted = { what: 'it', asked: 2, unit: 'times', reached }
  expect([atLeast(wanted), atMost(wanted)]).toMatchObject([{ ok: true }, { ok: true }])
  expect(atLeast({ ...wanted, asked: 2.1 })).toMatchObject({ ok: false, reached })
  expect(atMost({ ...wanted, reached: 3 })).toMatchObject({ ok: false, reached: { median: 3 } })
})

test('a missed target is said', () => {
  const wanted = { what: 'SendMessage', against: 'SDK in memory', asked: 2.5, unit: 'times' }
  expect(showTargets([atLeast({ ...wanted, reached: spread([2, 1, 4]) })])).toMatch(
    /SendMessage: kit \/ SDK in memory +at least 2.5 times +2 \(1 - 4\) +missed/,
  )
})

test('a run that measures nothing is not held to its targets', () => {
  expect(() => readOptions(['--quick', '--strict'])).toThrow('--strict needs a run that measures')
})

test('the help fits a terminal of 80 columns', () => {
  expect(help.split('\n').filter((line) => line.length > 80)).toEqual([])
})

test('a server is the limit of its rate when it was busy for nine tenths of the time, by the median', () => {
  const runs = (...shares: number[]) => shares.map((busy) => ({ rate: 1, cpu: 1, busy }))
  expect(limitOf({ kit: runs(0.5, 0.9, 1), bare: runs(0.95) })).toMatch(
    /^Every server was busy for 0\.9 of the time or more, by the median/,
  )
  expect(limitOf({ kit: runs(0.5, 0.89, 1), bare: runs(0.95) })).toMatch(
    /^Not busy for 0\.9 of the time or more, by the median: kit\./,
  )
})

test.each([
  ['send', '--docs'],
  ['--docs', '--quick'],
])('figures of less than a full run are not written into the documentation: %s %s', (...words) => {
  expect(() => readOptions(words)).toThrow('--docs needs a full run')
})
