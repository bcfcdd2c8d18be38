// Every command of the README, run as it stands there; only the ports are others, and what takes a terminal runs without.
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { root, stopAll } from '../scripts/kit.ts'
import { freePort } from '../scripts/ports.ts'
import { type Kit, oneKit, startKit } from './support/kit.ts'
import { blocksOf, run, type Script, withOthers } from './support/page.ts'
import { temporaryFolder } from './support/probe.ts'

const blocks = blocksOf('README.md')
const shell = blocks.filter(({ language }) => language === 'sh')

const shared = oneKit()

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string> & { agent: string }
}

/** The block that holds `part`, for the kit's ports. */
function block(part: string, kit?: Kit): Script {
  const found = shell.filter(({ text }) => text.includes(part))
  expect(found, `blocks with ${part}`).toHaveLength(1)
  const script = withOthers(found[0]!, { '/tmp/': `${process.env.TMPDIR ?? '/tmp'}/a2a-kit-${process.pid}-` })
  if (!kit) return script
  const { planner, 'code-reviewer': reviewer, deployer } = kit.ports
  return withOthers(script, { 41241: planner, 41242: reviewer, 41243: deployer })
}

test('the question is answered on the task, and the same message twice finds the same task', async () => {
  const kit = shared()
  const question = JSON.parse(await run(block('"review-1"', kit)).ended)
  expect(question.task.status.state).toBe('TASK_STATE_INPUT_REQUIRED')
  const answer = JSON.parse(await run(block('"answer-1"', kit)).ended)
  expect(answer.task).toMatchObject({ id: question.task.id, status: { state: 'TASK_STATE_COMPLETED' } })
  expect(answer.task.artifacts).toMatchObject([{ name: 'review.md' }, { name: 'review.json' }])
  const again = JSON.parse(await run(block('"review-1"', kit)).ended)
  expect(again.task.id).toBe(question.task.id)
})

test('the planner takes a change, and passes the question up', async () => {
  const kit = shared()
  const shipped = JSON.parse(await run(block('"ship-1"', kit)).ended)
  expect(shipped.task.status.state).toBe('TASK_STATE_INPUT_REQUIRED')
  expect(shipped.task.status.message.parts[0].text).toContain('code-reviewer asks: "Which base branch')
})

test('the approval arrives outside the protocol, and the stream goes on by itself', async () => {
  const kit = shared()
  const early = run(block('-X POST', kit)).ended
  await expect(early, 'while nothing waits').rejects.toThrow('There is no task none here.')
  const stream = run(block('"deploy-1"', kit))
  await expect.poll(stream.output, { timeout: 15_000 }).toContain('TASK_STATE_AUTH_REQUIRED')
  const approved = await run(block('-X POST', kit)).ended
  expect(approved).toContain('"outcome":"approved"')
  const frames = (await stream.ended).split('\n').filter((line) => line.startsWith('data: '))
  expect(frames).toHaveLength(6)
  expect(frames.at(-1)).toContain('TASK_STATE_COMPLETED')
})

test('the data is copied while the agents run, and put back while they do not', async () => {
  const kit = await startKit()
  const copy = join(await temporaryFolder(), 'copy')
  const { ports, dataDir } = kit
  const env = {
    DATA_DIR: dataDir,
    PLANNER_PORT: String(ports.planner),
    CODE_REVIEWER_PORT: String(ports['code-reviewer']),
    DEPLOYER_PORT: String(ports.deployer),
  }
  const [backup, restore] = block('npm run backup', kit)
    .text.replace(/\S*a2a-kit-copy/g, copy)
    .trim()
    .split('\n')
  await run(block('"review-1"', kit)).ended
  await Promise.all([
    mkdir(join(dataDir, 'deployed'), { recursive: true }),
    writeFile(join(dataDir, 'tutorial.json'), '{}'),
  ])
  const copied = await run(backup!, env).ended
  expect(copied).toMatch(/^copied deployed\/$/m)
  expect(copied).toMatch(/^copied tutorial\.json$/m)
  await expect(run(restore!, env).ended, 'while the agents run').rejects.toThrow()
  await stopAll(kit.agents)
  expect(await run(restore!, env).ended).toContain('as the copy was')
  onTestFinished(() => run(`rm -rf ${dataDir}.before-*`).ended.then(() => {}))
})

test('the greeter of the README is a whole agent', async () => {
  const [source] = blocks.filter(({ language }) => language === 'ts').map(({ text }) => text)
  const folder = await mkdtemp(join(root, 'tests', '.readme-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const port = await freePort()
  await writeFile(join(folder, 'greeter.ts'), source!)
  const env = { PORT: String(port), GRPC_PORT: '0', DATA_DIR: folder }
  const greeter = run(
    `exec ${process.execPath} ${scripts.agent.replace('node ', '')} ${join(folder, 'greeter.ts')}`,
    env,
  )
  greeter.ended.catch(() => {}) // it is stopped below
  onTestFinished(() => void greeter.stop())
  await expect
    .poll(
      () =>
        fetch(`http://localhost:${port}/health`).then(
          ({ ok }) => ok,
          () => false,
        ),
      { timeout: 15_000 },
    )
    .toBe(true)
  const asked = JSON.parse(await run(withOthers(block('"greet-1"'), { 41250: port })).ended)
  expect(asked.task.status.state).toBe('TASK_STATE_INPUT_REQUIRED')
  const greeted = JSON.parse(await run(withOthers(block('"greet-2"'), { 41250: port })).ended)
  expect(greeted.task).toMatchObject({ id: asked.task.id, status: { state: 'TASK_STATE_COMPLETED' } })
  expect(greeted.task.artifacts[0].parts[0].text).toMatch(/^Hello, Ada!/)
})

test('every npm script that the README names is there, and what is not run above is run by CI or by a check of its own', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const named = [...readme.matchAll(/npm (?:run )?([\w-]+)/g)]
    .map(([, name]) => name!)
    .filter((name) => name !== 'brings' && name !== 'ci')
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining([...new Set(named)]))
  const runHere = [
    'npm run backup',
    '"ship-1"',
    '"greet-1"',
    '"greet-2"',
    '"review-1"',
    '"answer-1"',
    '"deploy-1"',
    '-X POST',
  ]
  const runElsewhere = [
    'npm ci && npm run demo',
    'npm run tutorial\n',
    'npm run capture\nnpm run docs\n',
    'npm ci && npm test',
    'npm start',
    'npm run compose-check',
    'docker compose up',
  ]
  for (const { text, place } of shell) {
    const known =
      runHere.some((part) => text.includes(part)) || runElsewhere.some((start) => text.startsWith(start))
    expect(known, `${place}: ${text}`).toBe(true)
  }
})
