// The page that has an agent ask for an approval: its code is a whole agent, and its commands are run.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { root } from '../scripts/kit.ts'
import { startChild } from './support/child.ts'
import { blocksOf, run, withOthers } from './support/page.ts'
import { userMessage } from './support/probe.ts'
import { says } from './support/talk.ts'
import { untilState } from './support/wait.ts'

const page = 'docs/ask-for-approval.md'

test('the agent of the page acts when it is approved, and neither when it is denied nor for a message', async () => {
  const [source] = blocksOf(page, 'ts')
  const folder = await mkdtemp(join(root, 'tests', '.wiper-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'wiper.ts'), source!.text)
  const agent = await startChild({ main: join(folder, 'wiper.ts') })
  const { port } = new URL(agent.url)
  const [ask, approve, ...more] = blocksOf(page, 'sh').map((block) =>
    withOthers(block, { '/tmp/': `${folder}/`, 41251: port }),
  )
  expect(more).toEqual([])
  const { task } = JSON.parse(await run(ask!).ended)
  expect(task.status.state).toBe('TASK_STATE_AUTH_REQUIRED')
  expect(await run(approve!).ended).toContain('"outcome":"approved"')
  expect(says(await untilState(agent, task.id, 'COMPLETED'))).toMatch(/^Wiped disk-a, as /)

  const begin = async () =>
    (await agent.call('JSONRPC', 'SendMessage', { message: userMessage('disk-b') })).result.task.id
  const denied = await begin()
  await fetch(`${agent.url}/deny/${denied}`, { method: 'POST' })
  expect(says(await untilState(agent, denied, 'REJECTED'))).toContain('disk-b was not wiped')
  const told = await begin()
  await agent.call('JSONRPC', 'SendMessage', { message: userMessage('approved', { taskId: told }) })
  expect(says(await untilState(agent, told, 'REJECTED'))).toContain('a message approves nothing')
})
