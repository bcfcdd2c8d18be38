// One run of the suite: the agent is started with a card, the suite is pointed at it, and its counts are read.
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { agentAt, root } from '../kit.ts'
import { type Counts, readCounts } from './verdict.ts'

export const cardNames = ['full', 'minimal', 'required-extension'] as const
export type CardName = (typeof cardNames)[number]

const address = 'http://localhost:41249'

/** Only this test makes sense with the card that requires an extension: every other one fails with it, as it must. */
const selection: { [card in CardName]: string[] } = {
  full: [],
  minimal: [],
  'required-extension': ['--', '-k', 'ExtensionRequired'],
}

/** @throws Error when the agent does not start or the suite gives no result */
export async function runWithCard(card: CardName, folder: string, python: string): Promise<Counts> {
  if (await agentAt(address)) throw new Error(`An agent runs at ${address} already. Stop it first.`)
  const dataDir = await mkdtemp(join(tmpdir(), 'a2a-kit-suite-'))
  const agent = spawn(process.execPath, ['scripts/run.mjs', 'agents/conformance/src/main.ts'], {
    cwd: root,
    env: {
      ...process.env,
      CONFORMANCE_PROFILE: 'tck',
      CONFORMANCE_CARD: card,
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      PORT: '41249',
      GRPC_PORT: '42249',
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => agent.once('exit', () => resolve()))
  try {
    await untilUp(ended)
    await runSuite(python, folder, ['run_tck.py', '--sut-host', address, ...selection[card]])
    return readCounts(await readFile(join(folder, 'reports/junitreport.xml'), 'utf8').catch(() => ''))
  } finally {
    agent.kill()
    await ended
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function untilUp(ended: Promise<void>): Promise<void> {
  let gone = false
  void ended.then(() => {
    gone = true
  })
  while (!(await agentAt(address))) {
    if (gone) throw new Error('The conformance agent did not start.')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Shows what the suite prints, as it comes. */
async function runSuite(python: string, cwd: string, words: string[]): Promise<void> {
  await rm(join(cwd, 'reports/junitreport.xml'), { force: true })
  const suite = spawn(python, words, { cwd, stdio: ['ignore', 'inherit', 'inherit'] })
  await new Promise<void>((resolve, reject) => {
    suite.once('error', reject)
    suite.once('exit', () => resolve())
  })
}
