// The commands of the operator's page, run as they stand there: without tokens, and with one.
import { expect, test } from 'vitest'
import { startChild } from './support/child.ts'
import { blocksOf, run, withOthers } from './support/page.ts'
import { temporaryFolder } from './support/probe.ts'

const deployer = { main: 'agents/deployer/src/main.ts' }
const [ask, show, deny, audit, start, list, ...more] = blocksOf('docs/approving.md', 'sh')

test('what waits is listed, shown and denied, and the log has it', async () => {
  const { url, dataDir } = await startChild(deployer)
  const does = (block: typeof ask) =>
    run(withOthers(block!, { 41243: new URL(url).port, '/tmp/': `${dataDir}/` }), { DATA_DIR: dataDir }).ended
  const { task } = JSON.parse(await does(ask))
  const [waiting, shown] = (await does(show))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(waiting.requests).toMatchObject([{ taskId: task.id, waiting: true }])
  expect(shown).toMatchObject({ taskId: task.id, waiting: true, operation: { build: '2026.10.06-1' } })
  expect(JSON.parse(await does(deny))).toMatchObject({ outcome: 'denied', reason: 'Not on a Friday.' })
  expect(await does(audit)).toMatch(/ asked .*\n.* denied .* by operator {2}"Not on a Friday\."\n/)
})

test('with a token, and not without one, the list is given', async () => {
  const place = { '/tmp/': `${await temporaryFolder()}/` }
  // What the agents would be started with: the block itself starts all three.
  const variables = withOthers(start!, { ...place, 'npm start': 'env' })
  const OPERATOR_TOKENS = /^OPERATOR_TOKENS=(.*)$/m.exec(await run(variables).ended)![1]!
  const { url } = await startChild({ ...deployer, env: { OPERATOR_TOKENS } })
  const asked = withOthers(list!, { ...place, 41243: new URL(url).port })
  expect(JSON.parse(await run(asked).ended)).toEqual({ agent: 'deployer', requests: [] })
  const stranger = { ...asked, text: asked.text.replace(/^export .*$/m, 'ADA_TOKEN=nobody-0123456789') }
  await expect(run(stranger).ended).rejects.toThrow('no operator’s')
  expect(more).toEqual([])
})
