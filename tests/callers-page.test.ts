// The page about callers: its commands as they stand there, and its limits as the agent has them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultSettings } from '@a2a-kit/task-core'
import { expect, test } from 'vitest'
import { root } from '../scripts/kit.ts'
import { ask, asking } from './support/asking-agent.ts'
import { startChild } from './support/child.ts'
import { ended, operate } from './support/operator.ts'
import { blocksOf, run, withOthers } from './support/page.ts'
import { startProbe, temporaryFolder } from './support/probe.ts'

const page = 'docs/callers.md'

test('the agent that knows a secret takes the JWT that the page makes with it', async () => {
  const [start, ask, ...more] = blocksOf(page, 'sh')
  expect(more).toEqual([])
  const secret = join(await temporaryFolder(), 'secret')
  const [make, agent] = withOthers(start!, { '/tmp/a2a-secret': secret }).text.trim().split('\n')
  await run(make!).ended
  const [, variables, main] = /^(.*) npm run agent -- (\S+)$/.exec(agent!)!
  const env = Object.fromEntries(variables!.split(' ').map((one) => one.split(/=(.*)/s, 2)))
  const { url } = await startChild({ main: main!, env })
  const others = { '/tmp/a2a-secret': secret, 41249: new URL(url).port }
  expect(JSON.parse(await run(withOthers(ask!, others)).ended)).toMatchObject({ tasks: [], totalSize: 0 })
  const other = await fetch(`${url}/a2a/tasks`, { headers: { 'A2A-Version': '1.0' } })
  expect([other.status, other.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
})

test('a task of anyone stays with the operators when callers are let in by token, and is there again without', async () => {
  const open = await startProbe({ agent: asking, grpcPort: undefined })
  const { dataDir } = open
  const id = await ask(open)
  await open.close()

  const token = 'a-token-of-sixteen'
  const closed = await startProbe({
    agent: asking,
    grpcPort: undefined,
    dataDir,
    callerTokens: { ada: token },
  })
  const asAda = { Authorization: `Bearer ${token}` }
  expect((await closed.call('JSONRPC', 'ListTasks', {}, asAda)).result.totalSize).toBe(0)
  expect((await closed.call('JSONRPC', 'GetTask', { id }, asAda)).error).toMatchObject({ code: -32001 })
  const { requests } = (await (await fetch(`${closed.url}/approve`)).json()) as { requests: object[] }
  expect(requests).toMatchObject([{ taskId: id, waiting: true }])
  expect((await operate(closed, 'approve', id)).status).toBe(200)
  await closed.close()

  const again = await startProbe({ agent: asking, grpcPort: undefined, dataDir })
  expect((await ended(again, id)).status.state).toBe('TASK_STATE_COMPLETED')
})

test('the limits and their defaults on the page, and in the README, are those that the agent has', () => {
  const has = {
    MAX_REQUESTS_PER_SECOND: defaultSettings.maxRequestsPerSecond,
    MAX_MESSAGES_PER_MINUTE: defaultSettings.maxMessagesPerMinute,
    MAX_STREAMS_PER_CALLER: defaultSettings.maxStreamsPerCaller,
    MAX_OPEN_TASKS_PER_CALLER: defaultSettings.maxOpenTasksPerCaller,
    MAX_AUTH_FAILURES_PER_MINUTE: defaultSettings.maxAuthFailuresPerMinute,
  }
  for (const file of [page, 'README.md']) {
    const text = readFileSync(join(root, file), 'utf8')
    const rows = [...text.matchAll(/^\| `(MAX_\w+_PER_\w+)` +\| (\d+) /gm)].map(([, name, value]) => [
      name,
      Number(value),
    ])
    expect(Object.fromEntries(rows), file).toEqual(has)
  }
})
