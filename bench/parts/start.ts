// Part `start`: from the start of an agent's process to its first answers, with nothing compiled before, again, and with tasks that wait.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { root } from '../../scripts/kit.ts'
import { freePort } from '../../scripts/ports.ts'
import { post, request } from '../a2a.ts'
import type { Cores } from '../cores.ts'
import { inFolder } from '../folder.ts'
import { figure, type PartResult } from '../report.ts'
import { inRounds, type Spread, spread } from '../rounds.ts'
import { storeTasks } from '../stored-tasks.ts'
import { atMost } from '../targets.ts'
import type { PartOptions } from './part.ts'

const deployer = 'agents/deployer/src/main.ts'
const conformance = 'agents/conformance/src/main.ts'

/** Tasks that wait, and tasks that have work to do, in the conformance agent's language. */
const kinds = {
  'that wait': { scripts: ['ask', 'authorize'], returnImmediately: false },
  'that have work to do': { scripts: ['sleep 100; artifact a b'], returnImmediately: true },
}

/** In seconds from the start of the process. */
interface Times {
  card: number
  ready: number
  /** Of a SendMessage. */
  answer: number
}

interface How {
  /** The agent's main file, or the words that run.mjs is given to run it. */
  words: string[]
  /** Where the agent has its data. */
  dataDir: string
  /** Where Node.js keeps what it compiles; empty for a cold start. */
  temporary: string
  /** What is sent to it. */
  text: string
  /** Whether the answer is awaited before the task's turn has come. */
  returnImmediately?: boolean
}

export const start = (options: PartOptions): Promise<PartResult> =>
  inFolder('start', (folder) => startsIn(folder, options))

async function startsIn(
  folder: string,
  { startPeer, cores, rounds, quick, say }: PartOptions,
): Promise<PartResult> {
  const place = (name: string) => join(folder, name)
  const many = quick ? 100 : 10_000
  const deploys = { dataDir: place('deployer'), text: 'Deploy build 2026.10.06-1 to staging' }
  const warm = { ...deploys, temporary: place('warm') }
  let nth = 0
  const anew = (name: string) => place(`${name} ${++nth}`)
  const ways: Record<string, () => Promise<How>> = {
    'the first start': async () => ({ ...deploys, words: [deployer], temporary: anew('cold') }),
    'a further start': async () => ({ ...warm, words: [deployer] }),
    'as the container does': async () => ({ ...warm, words: ['scripts/container.ts', 'deployer'] }),
  }
  for (const [kind, { scripts, returnImmediately }] of Object.entries(kinds)) {
    const made = place(kind)
    await mkdir(made)
    const kit = await startPeer('kit', { env: { DATA_DIR: made } })
    for (const text of scripts) await send(kit.url, text, { returnImmediately })
    await kit.stop()
    await storeTasks(join(made, 'conformance.db'), many, say)
    ways[`with ${figure(many)} tasks ${kind}`] = async () => {
      const dataDir = anew(kind) // a start goes on with what it finds, so each has a copy
      await cp(made, dataDir, { recursive: true })
      return {
        words: [conformance],
        dataDir,
        temporary: warm.temporary,
        text: 'artifact a b',
        returnImmediately: true,
      }
    }
  }
  say('\nStarts')
  const runs = Object.entries(ways).map(([name, way]) => [name, async () => timesOf(await way(), cores)])
  const measured: Record<string, Times[]> = await inRounds(rounds, Object.fromEntries(runs), say)
  return resultOf(measured, many)
}

/** Starts the agent as people do, asks until it answers, and stops it. */
async function timesOf(
  { words, dataDir, temporary, text, returnImmediately = false }: How,
  cores: Cores,
): Promise<Times> {
  await mkdir(temporary, { recursive: true })
  const [port, grpcPort] = [await freePort(), await freePort()]
  const [command, ...rest] = [...cores.serverPrefix, process.execPath, 'scripts/run.mjs', ...words]
  const env = {
    PATH: process.env.PATH,
    TMPDIR: temporary,
    DATA_DIR: dataDir,
    PORT: String(port),
    GRPC_PORT: String(grpcPort),
    MAX_OPEN_TASKS_PER_CALLER: '0', // all are one caller's
    // The container passes these on to others, whose ports must be free here.
    ...(await otherPorts()),
  }
  const begun = performance.now()
  const since = () => (performance.now() - begun) / 1000
  const child = spawn(command!, rest, { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] })
  const kill = () => child.kill('SIGKILL')
  process.prependOnceListener('exit', kill) // before its folder goes
  try {
    const url = `http://127.0.0.1:${port}`
    await whenOk(child, `${url}/.well-known/agent-card.json`)
    const card = since()
    await whenOk(child, `${url}/ready`)
    const ready = since()
    const reply = await send(`${url}/a2a`, text, { returnImmediately })
    const answer = since()
    if (!JSON.parse(reply).result?.task) throw new Error(`this is no task: ${reply.slice(0, 300)}`)
    return { card, ready, answer }
  } finally {
    const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined
    child.kill('SIGTERM')
    await ended
    process.off('exit', kill)
  }
}

const send = (url: string, text: string, configuration = {}): Promise<string> => {
  const message = { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text }] }
  return post(url, request('SendMessage', { message, configuration }))
}

async function otherPorts(): Promise<Record<string, string>> {
  const names = ['PLANNER', 'CODE_REVIEWER'].flatMap((name) => [`${name}_PORT`, `${name}_GRPC_PORT`])
  const ports: Record<string, string> = {}
  for (const name of names) ports[name] = String(await freePort())
  return ports
}

/** Asks at `url` every few milliseconds until the answer is 200. @throws Error when the process ends before */
async function whenOk(child: ChildProcess, url: string): Promise<void> {
  for (;;) {
    const response = await fetch(url, { headers: { 'A2A-Version': '1.0' } }).catch(() => undefined)
    await response?.text()
    if (response?.status === 200) return
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error('the agent has ended; what it said stands above.')
    await pause(3)
  }
}

function resultOf(measured: Record<string, Times[]>, many: number): PartResult {
  const of = (name: string, what: keyof Times): Spread => spread(measured[name]!.map((times) => times[what]))
  const waiting = `with ${figure(many)} tasks that wait`
  return {
    tables: [
      {
        title: 'Seconds from the start of the process to its first answers',
        columns: ['card', 'ready', 'SendMessage'],
        rows: Object.keys(measured).map((name) => ({
          name,
          values: [of(name, 'card'), of(name, 'ready'), of(name, 'answer')],
        })),
      },
    ],
    targets: [
      atMost({
        what: 'Start to first answer',
        asked: 0.5,
        unit: 's',
        reached: of('a further start', 'answer'),
      }),
      atMost({ what: `Ready ${waiting}`, asked: 1, unit: 's', reached: of(waiting, 'ready') }),
    ],
  }
}
