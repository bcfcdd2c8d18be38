import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { runCapture } from '../scripts/capture/command.ts'
import { root } from '../scripts/kit.ts'
import { differences, filesOf } from './compare.ts'
import { captureNames, outFolder, readOut } from './library.ts'

const scratch = mkdtempSync(join(tmpdir(), 'a2a-kit-captures-'))
afterAll(() => rmSync(scratch, { recursive: true }))

describe('the captures', () => {
  const elsewhere = join(scratch, 'elsewhere')

  beforeAll(async () => {
    const spinning = new Worker('for (;;) {}', { eval: true })
    const halves = [0, 1].map((half) => captureNames().filter((_name, at) => at % 2 === half))
    await Promise.all(halves.map((names) => recordElsewhere(names, elsewhere)))
    await spinning.terminate()
  }, 900_000)

  test('are all there are in capture/out', () => {
    expect(readdirSync(outFolder)).toEqual(readdirSync(elsewhere))
  })

  test.each(captureNames())(
    '%s is the same again, also in another time zone, with settings of agents in the shell, and under load',
    (name) => {
      const files = filesOf(name, elsewhere).map(
        (file) => [file, readFileSync(join(elsewhere, file), 'utf8')] as const,
      )
      expect(differences(name, new Map(files), outFolder)).toEqual([])
    },
  )
})

/** What a writer's shell may set, for agents that run beside. */
const shell = { HOST: '0.0.0.0', CALLER_TOKENS: `writer:${'0'.repeat(16)}`, STREAM_ARTIFACTS: 'true' }

/** Plays the scenarios in another process, whose time zone and shell are not this one's. */
function recordElsewhere(names: string[], folder: string): Promise<void> {
  const words = [join(root, 'scripts/run.mjs'), join(root, 'scripts/capture.ts'), ...names, '--out', folder]
  const env = { ...process.env, ...shell, TZ: 'Pacific/Auckland' }
  const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    said += text
  })
  return new Promise((resolve, reject) => {
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`Ended with ${code}: ${said}`))))
  })
}

describe('npm run capture -- --check', () => {
  const spoiled = join(scratch, 'spoiled')
  const name = '07-auth-required'

  afterEach(() => {
    vi.restoreAllMocks()
    rmSync(spoiled, { recursive: true, force: true })
  })

  /** The exit code and what was printed, after `spoil` changed a copy of `file`. */
  async function check(file: string, spoil: (text: string) => string): Promise<[code: number, said: string]> {
    cpSync(outFolder, spoiled, { recursive: true })
    const path = join(spoiled, file)
    writeFileSync(path, spoil(readFileSync(path, 'utf8')))
    const said: string[] = []
    for (const method of ['error', 'log'] as const) {
      vi.spyOn(console, method).mockImplementation((text) => void said.push(text))
    }
    return [await runCapture([name, '--check', '--out', spoiled]), said.join('\n')]
  }

  /** The line, counted from 1, that has `text` first. */
  const lineOf = (file: string, text: string): number =>
    readOut(file)
      .split('\n')
      .findIndex((line) => line.includes(text)) + 1

  test('passes on what the kit gives', async () => {
    const [code, said] = await check(`${name}.http`, (text) => text)
    expect(code).toBe(0)
    expect(said).toContain(`ok       ${name}, 2 exchanges\nThe captures are what the kit gives.`)
  })

  test.each([
    ['a changed number', `${name}.http`, '09:00:00.750Z', '09:00:00.751Z'],
    ['a changed field name', `${name}.http`, '"outcome"', '"result"'],
    ['a changed field name of an event', `${name}.events.json`, '"statusUpdate"', '"status_update"'],
  ])('DOCS-COMPARED-TO-THEMSELVES: fails on %s, and names file and line', async (_, file, from, to) => {
    const [code, said] = await check(file, (text) => text.replace(from, to))
    expect(code).toBe(1)
    expect(said).toContain(`${file}:${lineOf(file, from)}: this is not what the kit gives`)
    expect(said).toMatch(new RegExp(`^-.*${to}`, 'm'))
    expect(said).toMatch(new RegExp(`^\\+.*${from}`, 'm'))
  })

  test('DOCS-COMPARED-TO-THEMSELVES: fails on a deleted event, and names file and line', async () => {
    const file = `${name}.events.json`
    const [code, said] = await check(file, (text) => {
      const { exchange, frames } = JSON.parse(text)
      return `${JSON.stringify({ exchange, frames: frames.toSpliced(1, 1) }, null, 2)}\n`
    })
    expect(code).toBe(1)
    expect(said).toContain(`${file}:${lineOf(file, '"atMs": 500')}: this is not what the kit gives`)
  })

  test('writes nothing, a folder neither', async () => {
    const missing = join(scratch, 'missing')
    vi.spyOn(console, 'error').mockImplementation(() => {})
    vi.spyOn(console, 'log').mockImplementation(() => {})
    expect(await runCapture([name, '--check', '--out', missing])).toBe(1)
    expect(existsSync(missing)).toBe(false)
  })
})

test('npm run capture that is stopped leaves nothing among the temporary files', async () => {
  const [out, temporary] = ['stopped', 'temporary'].map((folder) => join(scratch, folder))
  mkdirSync(temporary!)
  const words = [join(root, 'scripts/run.mjs'), join(root, 'scripts/capture.ts'), '--out', out!]
  const child = spawn(process.execPath, words, {
    env: { ...process.env, TMPDIR: temporary },
    stdio: 'ignore',
  })
  const ended = once(child, 'close')
  const ours = () => readdirSync(temporary!).filter((file) => file.startsWith('a2a-kit-'))
  await expect.poll(ours, { timeout: 60_000, interval: 5 }).not.toEqual([])
  child.kill('SIGINT')
  expect(await ended).toEqual([130, null])
  expect(ours()).toEqual([])
})
