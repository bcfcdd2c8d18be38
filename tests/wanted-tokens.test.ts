// The demo and the tutorial beside agents that know callers, for whoever has no token for them.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { agentNames, portVariable, root } from '../scripts/kit.ts'
import { startChild } from './support/child.ts'
import { startKit } from './support/kit.ts'
import { read, sends } from './support/lesson.ts'
import { temporaryFolder } from './support/probe.ts'

const run = promisify(execFile)

test('agents that want to know who calls end the demo and the tutorial, which say what to do', async () => {
  const { ports } = await startKit({ CALLER_TOKENS: 'somebody:a-token-of-sixteen' })
  const places = Object.fromEntries(agentNames.map((name) => [portVariable(name), String(ports[name])]))
  const env = { ...places, DATA_DIR: await temporaryFolder(), PATH: process.env.PATH }

  const demo = run(process.execPath, ['scripts/run.mjs', 'scripts/demo.ts', '--yes'], { cwd: root, env })
  await expect(demo).rejects.toMatchObject({
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
