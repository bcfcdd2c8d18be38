// The commands of the operator's page, run as they stand there: without tokens, and with one.
import { expect, test } from 'vitest'
import { startChild } from './support/child.ts'
import { blocksOf, run, withOthers } from './support/page.ts'

const deployer = { main: 'agents/deployer/src/main.ts' }
const blocks = blocksOf('docs/approving.md', 'sh')

test('what waits is listed, shown and denied', async () => {
  const { url, dataDir } = await startChild(deployer)
  const others = { 41243: new URL(url).port, '/tmp/': `${dataDir}/` }
  const [ask, show, deny] = blocks.map((block) => withOthers(block, others))
  const { task } = JSON.parse(await run(ask!).ended)
  const [list, shown] = (await run(show!).ended)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(list.requests).toMatchObject([{ taskId: task.id, waiting: true }])
  expect(shown).toMatchObject({ taskId: task.id, waiting: true, operation: { build: '2026.10.06-1' } })
  expect(JSON.parse(await run(deny!).ended)).toMatchObject({ outcome: 'denied', reason: 'Not on a Friday.' })
})

test('with a token, and not without one, the list is given', async () => {
  const token = 'ada-0123456789-abc'
  const { url } = await startChild({ ...deployer, env: { OPERATOR_TOKENS: `ada:${token}` } })
  const list = withOthers(blocks[3]!, { 41243: new URL(url).port })
  expect(JSON.parse(await run(list, { ADA_TOKEN: token }).ended)).toEqual({ agent: 'deployer', requests: [] })
  await expect(run(list, { ADA_TOKEN: 'nobody-0123456789' }).ended).rejects.toThrow('no operator’s')
})
