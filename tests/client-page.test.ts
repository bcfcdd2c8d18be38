// The page that writes a client: its code is a file's, it prints what the page says, and what waits for it can be listed.
import type { Task } from '@a2a-kit/task-core'
import { expect, test } from 'vitest'
import { smallDiff } from '../capture/scenarios/diffs.ts'
import { type Kit, oneKit } from './support/kit.ts'
import { blocksOf, difference, run, withOthers } from './support/page.ts'
import { talkTo, userMessage } from './support/probe.ts'

const page = 'docs/client.md'
const blocks = blocksOf(page)
const [command] = blocksOf(page, 'sh')
const shared = oneKit()

const portsOf = ({ ports }: Kit) => ({ 41241: ports.planner, 41243: ports.deployer })
/** Without ids, and from the question on: whether the client sees the states before it is a matter of time. */
const story = (printed: string) =>
  printed
    .split('\n')
    .map((line) => line.trimEnd().replace(/[0-9a-f-]{36}/, '<id>'))
    .filter(
      (line, at, lines) => line !== '' && at >= lines.findIndex((one) => one.includes('INPUT_REQUIRED')),
    )

test('the code of the page is the file that it names', () => {
  const [code] = blocks.filter(({ language }) => language === 'ts')
  expect(code!.file).toBe('shared/client/example-ship.ts')
  expect(difference(page, [code!], code!.file!)).toBeUndefined()
})

test('the client asks, answers, and waits while an operator approves', async () => {
  const kit = shared()
  const [shown] = blocks.filter(({ language }) => language === 'text')
  const { text, place } = command!
  const client = run({ place, text: `${text.trim()} http://localhost:${kit.ports.planner}` })
  await expect.poll(client.output, { timeout: 30_000 }).toContain('TASK_STATE_AUTH_REQUIRED')
  const [address] = /http:[^"]*approve[^"]*/.exec(client.output())!
  expect((await fetch(address, { method: 'POST' })).status).toBe(200)
  expect(story(await client.ended)).toEqual(story(withOthers(shown!, portsOf(kit)).text))
})

test('of several tasks that wait, a client lists those of one context', async () => {
  const kit = shared()
  const { call } = talkTo(`http://localhost:${kit.ports.planner}/a2a`)
  const [list] = blocksOf('docs/planner.md', 'sh')
  const data = { repository: 'payments-api', diff: smallDiff, build: '2026.10.06-1', environment: 'staging' }
  const ask = async (contextId: string): Promise<string> => {
    const message = userMessage('', { parts: [{ data }], contextId })
    return (await call('JSONRPC', 'SendMessage', { message })).result.task.id
  }
  const one = await ask('release-42')
  const two = await ask('release-42')
  await ask('release-43')
  const { tasks }: { tasks: Task[] } = JSON.parse(await run(withOthers(list!, portsOf(kit))).ended)
  expect(tasks.map(({ id }) => id)).toEqual([two, one])
})
