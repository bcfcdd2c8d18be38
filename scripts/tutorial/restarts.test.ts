import { expect, onTestFinished, test } from 'vitest'
import { startKit } from '../../tests/support/kit.ts'
import { besideNothing, read, sends } from '../../tests/support/lesson.ts'
import { temporaryFolder } from '../../tests/support/probe.ts'
import { startAgentProcess, stopAll, whenHealthy } from '../kit.ts'

test('a stream that an agent’s restart cut is subscribed to again, and the story goes on', async () => {
  const { ports, agents, dataDir } = await startKit()
  const here = { DATA_DIR: await temporaryFolder(), DEPLOYER_PORT: String(ports.deployer) }
  const { done, text, press, sees } = read('07-auth-required', { env: here })
  await sees(sends)
  press('\r')
  await sees('d to deny')
  await stopAll(agents.filter(({ name }) => name === 'deployer'))
  const env = { ...process.env, DATA_DIR: dataDir, LOG_LEVEL: 'silent', GRPC_PORT: '0' }
  const after = startAgentProcess('deployer', { ports, output: 'ignore', env })
  onTestFinished(() => stopAll([after]))
  await whenHealthy(after)
  press('a')
  await done
  expect(text()).toContain('The stream of 1 was lost.')
  expect(text()).toMatch(/frame 6 of 6[\s\S]*TASK_STATE_COMPLETED[\s\S]*That was 07/)
  expect(text()).not.toMatch(/^≠/m)
})

test('an agent that was started again in a capture is started again in its tutorial', async () => {
  const { done, text } = read('11-resubscribe', { env: await besideNothing(), isTTY: false })
  await done
  expect(text()).toMatch(/The deployer was stopped and started again just now\.[\s\S]*That was 11/)
  expect(text()).not.toMatch(/^≠/m)
})
