import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { agentAt, agentNames, root } from '../scripts/kit.ts'
import { freePort, freePorts } from '../scripts/ports.ts'
import { temporaryFolder } from './support/probe.ts'

async function npmStart(env: NodeJS.ProcessEnv) {
  const child = spawn('npm', ['start'], { cwd: root, env: { ...process.env, ...env }, detached: true })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  /** What Ctrl-C does in a terminal: the whole group gets the signal. */
  const interrupt = () => process.kill(-child.pid!, 'SIGINT')
  /** What a supervisor does: npm alone gets it. */
  const terminate = () => child.kill('SIGTERM')
  onTestFinished(() => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, 'SIGKILL')
  })
  return { ended, interrupt, terminate, output: () => output }
}

test.each(['interrupt', 'terminate'] as const)(
  'npm start runs the three agents with readable logs, and stops them cleanly: %s',
  async (how) => {
    const free = await freePorts()
    const ports = agentNames.map((name) => free[name])
    const names = agentNames.map((name) => `${name.toUpperCase().replace('-', '_')}_PORT`)
    const env = Object.fromEntries(names.map((name, index) => [name, String(ports[index])]))
    const publicUrl = `http://127.0.0.1:${free.deployer}`
    const places = { ...env, DEPLOYER_PUBLIC_URL: publicUrl, OPERATOR_TOKENS: 'ada:a-token-of-sixteen' }
    const kit = await npmStart({ ...places, GRPC_PORT: '0', DATA_DIR: await temporaryFolder() })
    await expect.poll(kit.output, { timeout: 30_000 }).toContain('The kit runs.')
    const variables = names.map((name, index) => `${name}=${ports[index]} `).join('')
    expect(kit.output()).toContain(
      `\`${variables}npm run demo\` in another terminal, given OPERATOR_TOKENS, uses it.`,
    )
    expect(kit.output()).toContain(`Operators read and decide what waits at ${publicUrl}/approve.`)
    const card = await (await fetch(`http://localhost:${free.deployer}/.well-known/agent-card.json`)).text()
    expect(card).toContain(`"${publicUrl}/a2a"`)
    expect(card).not.toContain('//localhost')
    expect(await Promise.all(ports.map((port) => agentAt(`http://localhost:${port}`)))).toEqual([
      ...agentNames,
    ])
    kit[how]()
    await kit.ended
    for (const name of agentNames)
      expect(kit.output()).toMatch(new RegExp(`INFO \\(${name}\\): ${name} stops`))
    expect(await Promise.all(ports.map((port) => agentAt(`http://localhost:${port}`)))).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  },
)

test('one public address for all agents is refused before any of them starts', async () => {
  const { planner, deployer, 'code-reviewer': reviewer } = await freePorts()
  const kit = await npmStart({
    PLANNER_PORT: String(planner),
    DEPLOYER_PORT: String(deployer),
    CODE_REVIEWER_PORT: String(reviewer),
    PUBLIC_URL: 'https://agents.example',
    DATA_DIR: await temporaryFolder(),
  })
  expect(await kit.ended).toBe(1)
  expect(kit.output()).toContain(
    'set PLANNER_PUBLIC_URL, CODE_REVIEWER_PUBLIC_URL, DEPLOYER_PUBLIC_URL instead.',
  )
  expect(kit.output()).not.toContain('listens')
})

test('agents that answer at the ports are said, whoever started them, with what sets other ports', async () => {
  const { planner: port, deployer } = await freePorts()
  const other = createServer((_, response) => response.end('{"agent":"planner"}')).listen(port)
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  const kit = await npmStart({
    PLANNER_PORT: String(port),
    DEPLOYER_PORT: String(deployer),
    CODE_REVIEWER_PORT: String(port),
    DATA_DIR: await temporaryFolder(),
  })
  expect(await kit.ended).toBe(1)
  for (const variable of ['PLANNER_PORT', 'CODE_REVIEWER_PORT']) {
    expect(kit.output()).toContain(
      `http://localhost:${port} answers as planner; ${variable} sets another port`,
    )
  }
  expect(kit.output()).not.toContain('DEPLOYER_PORT')
})

test('a port that is taken is said in one line, and the other agents are stopped', async () => {
  const [port, other] = [await freePort(), await freePort()]
  const kit = await npmStart({
    PLANNER_PORT: String(port),
    DEPLOYER_PORT: String(port),
    CODE_REVIEWER_PORT: String(other),
    GRPC_PORT: '0',
    DATA_DIR: await temporaryFolder(),
  })
  expect(await kit.ended).not.toBe(0)
  expect(kit.output()).toMatch(
    new RegExp(`Cannot start (planner|deployer): port ${port} is taken\\. .*(PLANNER|DEPLOYER)_PORT`),
  )
})
