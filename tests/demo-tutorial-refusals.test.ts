// What the demo and the tutorial cannot play with: they end, and say what to do.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { type AgentName, agentNames, portVariable, root } from '../scripts/kit.ts'
import { freePorts } from '../scripts/ports.ts'
import { startChild } from './support/child.ts'
import { startKit } from './support/kit.ts'
import { read, sends } from './support/lesson.ts'
import { temporaryFolder } from './support/probe.ts'

const demo = (env: NodeJS.ProcessEnv) =>
  promisify(execFile)(process.execPath, ['scripts/run.mjs', 'scripts/demo.ts', '--yes'], { cwd: root, env })

const at = (ports: Record<AgentName, number>) =>
  Object.fromEntries(agentNames.map((name) => [portVariable(name), String(ports[name])]))

test('agents that want to know who calls end the demo and the tutorial, which say what to do', async () => {
  const { ports } = await startKit({ CALLER_TOKENS: 'somebody:a-token-of-sixteen' })
  const env = { ...at(ports), DATA_DIR: await temporaryFolder(), PATH: process.env.PATH }

  await expect(demo(env)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^The demo stopped: This agent wants to know who calls: .* PEER_TOKEN is /m,
    ),
  })

  for (const name of ['06-input-required', '07-auth-required']) {
    const { done, text } = read(name, { env, isTTY: false })
    await expect(done).rejects.toThrow(
      /^exchange 1, .*: The agents want tokens, .* With --own it plays against agents of its own\.$/,
    )
    expect(text()).not.toContain('401')
  }
})

test('a deployer that knows operators ends the tutorial where one decides, with the same words', async () => {
  const { url, dataDir } = await startChild({
    main: 'agents/deployer/src/main.ts',
    env: { OPERATOR_TOKENS: 'ada:a-token-of-sixteen' },
  })
  const env = { DEPLOYER_PORT: new URL(url).port, DATA_DIR: dataDir, PATH: process.env.PATH }
  await expect(read('07-auth-required', { env, isTTY: false }).done).rejects.toThrow('The agents want tokens')
  const { done, press, sees } = read('07-auth-required', { env, again: true })
  await sees(sends)
  press('\r')
  await expect(done).rejects.toThrow('The agents want tokens')
})

test.each([
  ['one public address for all agents', { PUBLIC_URL: 'https://agents.example' }, 'set PLANNER_PUBLIC_URL, '],
  ['agents that would speak TLS', { TLS_CERT_FILE: 'cert.pem' }, 'The demo speaks no TLS'],
])('the demo starts nothing with %s', async (_, wrong, why) => {
  const env = {
    ...at(await freePorts()),
    DATA_DIR: await temporaryFolder(),
    PATH: process.env.PATH,
    ...wrong,
  }
  await expect(demo(env)).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining(why) })
})
