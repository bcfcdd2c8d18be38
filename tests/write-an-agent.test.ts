// The page that writes an agent from nothing: its code is the agent's, and its commands are run in their order.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Task } from '@a2a-kit/task-core'
import { textOf } from '@a2a-kit/task-core'
import { expect, test } from 'vitest'
import { root } from '../scripts/kit.ts'
import { startChild } from './support/child.ts'
import { type Block, blocksOf, difference, run, withOthers } from './support/page.ts'
import { temporaryFolder } from './support/probe.ts'

const page = 'docs/write-an-agent.md'
const sources = 'agents/early-access/src'
const blocks = blocksOf(page)
const code = blocks.filter(({ language }) => language === 'ts')
const files = readdirSync(join(root, sources))
  .filter((name) => !name.endsWith('.test.ts'))
  .map((name) => `${sources}/${name}`)

test('each block of code says which file it is a part of, and every file of the agent is there', () => {
  const nameless = code.filter(({ file }) => file === undefined).map(({ line }) => `${page}:${line}`)
  expect(nameless).toEqual([])
  expect(new Set(code.map(({ file }) => file))).toEqual(new Set(files))
})

test.each(files)('the blocks of %s are the file', (file) => {
  expect(difference(page, code, file)).toBeUndefined()
})

test('a line that differs is told with its page and its file, and so is one too many or too few', () => {
  const [file] = files.filter((name) => name.endsWith('main.ts'))
  const [block] = code.filter((one) => one.file === file)
  const { text, line } = block!
  const lines = text.trimEnd().split('\n')
  const last = lines.at(-1)
  const told = (changed: string) => difference(page, [{ ...block!, text: changed }], file!)
  expect(told(text.replace('// Runs', '// Walks'))).toBe(
    `${page}:${line} has "${lines[0]!.replace('Runs', 'Walks')}", and ${file}:1 has "${lines[0]}"`,
  )
  expect(told(`${text}more\n`)).toBe(
    `${page}:${line + lines.length} has "more", and ${file}:${lines.length + 1} has nothing more`,
  )
  expect(told(text.replace(`${last}\n`, ''))).toBe(
    `${page}:${line + lines.length - 1} has nothing more, and ${file}:${lines.length} has "${last}"`,
  )
})

test('the agent has fewer than 60 lines of code, imports included', () => {
  const lines = code.flatMap(({ text }) => text.split('\n').map((line) => line.trim()))
  const ofCode = lines.filter((line) => line !== '' && !line.startsWith('//') && !line.startsWith('/**'))
  expect(ofCode.length).toBeLessThan(60)
})

test('the agent asks, is killed, waits on, is answered and canceled, as the page says', async () => {
  const commands = blocksOf(page, 'sh')
  expect(commands).toHaveLength(6)
  const [start, ask, look, answer, show, cancel] = commands as [Block, Block, Block, Block, Block, Block]
  const [, main] = /^LOG_FORMAT=pretty npm run agent -- (\S+)\n$/.exec(start.text)!
  const agent = await startChild({ main: main! })
  const { dataDir } = agent
  const others = {
    '/tmp/': `${await temporaryFolder()}/`,
    'data/': `${dataDir}/`,
    41244: new URL(agent.url).port,
  }
  const printed = (command: Block) => run(withOthers(command, others)).ended
  const stateOf = ({ status }: Task) => status.state.replace('TASK_STATE_', '')

  const { task } = JSON.parse(await printed(ask))
  expect(stateOf(task)).toBe('INPUT_REQUIRED')
  expect(task.metadata).toEqual({ skill: 'request-early-access' })
  expect(await agent.end('SIGKILL')).toBe('SIGKILL')
  await agent.again()
  expect(JSON.parse(await printed(look))).toEqual(task)

  const { task: done } = JSON.parse(await printed(answer))
  expect([done.id, stateOf(done), done.artifacts[0].name]).toEqual([task.id, 'COMPLETED', 'Registration'])
  const [shown] = blocks.filter(({ language }) => language === 'json')
  expect(await printed(show)).toBe(shown!.text)

  const canceled = JSON.parse(await printed(cancel))
  expect([stateOf(canceled), textOf(canceled.status.message)]).toEqual([
    'CANCELED',
    'Canceled. Nothing was registered.',
  ])
})
