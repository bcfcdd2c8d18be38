// A database that is damaged while its agent is down: the agent refuses to start, or says so, or gives what was there; then the copy is put back.
import { copyFileSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Task } from '@a2a-kit/task-core/protocol'
import type { Agent } from '../agent.ts'
import { names } from '../agents.ts'
import { insist } from '../callers.ts'
import type { Chance } from '../chance.ts'
import type { Scene } from '../scene.ts'
import type { Fault } from './fault.ts'

/** What is overwritten: SQLite can tell it of all of these. A byte within a stored text it cannot tell, and nobody can. */
const damages = ['the head', 'the end', 'a page', 'three pages', 'the starts of ten pages'] as const
type Damage = (typeof damages)[number]

export const corrupted: Fault = (chance) => {
  const name = chance.pick(names)
  const damage = chance.pick(damages)
  return {
    words: `the stopped ${name}'s database loses ${damage}`,
    late: true,
    async run(scene) {
      const agent = scene.agents[name]
      const known = scene.told.flatMap(({ task, agent: of }) => (task && of === name ? task : []))
      const ended = await agent.end('SIGTERM')
      const copy = join(dirname(dirname(agent.file)), `${name}.copy`) // not on a disk that is small to be filled
      copyFileSync(agent.file, copy)
      spoil(agent.file, damage, chance)
      const problems = ended === 0 ? [] : [`${name} ended with ${ended} when it was stopped`]
      try {
        problems.push(...(await tryIt(scene, agent, known)))
      } finally {
        for (const rest of ['', '-wal', '-shm']) rmSync(`${agent.file}${rest}`, { force: true })
        copyFileSync(copy, agent.file)
        rmSync(copy)
      }
      agent.start()
      await agent.answers()
      for (const task of known) {
        const { text } = await insist(scene.signal, () => ask(scene, agent, 'GetTask', { id: task.id }))
        if (!isDeepStrictEqual(resultIn(text), task))
          problems.push(`${name} gives another task ${task.id} than before`)
      }
      return problems
    },
  }
}

function spoil(file: string, damage: Damage, chance: Chance): void {
  const { size } = statSync(file)
  if (damage === 'the end') {
    truncateSync(file, Math.floor(size / 2))
    return
  }
  const content = readFileSync(file)
  if (damage === 'the head') content.fill(0xa5, 0, 100)
  else {
    const count = { 'a page': 1, 'three pages': 3, 'the starts of ten pages': 10 }[damage]
    const length = damage === 'the starts of ten pages' ? 64 : pageSize
    for (const page of chance.some(treePages(content), count)) content.fill(0xa5, page, page + length)
  }
  writeFileSync(file, content)
}

const pageSize = 4096

/** Where the pages of tables and indexes begin, but for the first; what is left holds the rest of long texts. */
const treePages = (content: Buffer): number[] =>
  Array.from({ length: content.length / pageSize - 1 }, (_, index) => (index + 1) * pageSize).filter((at) =>
    [2, 5, 10, 13].includes(content[at]!),
  )

/** Starts the agent on the damaged file, and ends it. @returns what it should not have done */
async function tryIt(scene: Scene, agent: Agent, known: Task[]): Promise<string[]> {
  const before = readFileSync(agent.log, 'utf8').length
  const how = await agent.startOrEnd()
  if (how !== 'answers') {
    const said = readFileSync(agent.log, 'utf8').slice(before)
    const lines = said.trim().split('\n')
    const clear = lines.some(
      (line) => line.startsWith(`Cannot start ${agent.name}: `) && line.includes(agent.file),
    )
    if (how === 1 && clear) return []
    return [`${agent.name} ended with ${how} on a damaged database, and said: ${said.slice(-500)}`]
  }
  try {
    const problems: string[] = []
    for (const task of known) {
      const { status, text } = await ask(scene, agent, 'GetTask', { id: task.id })
      const isError = text.includes('"error"') || status >= 500
      if (!isError && !isDeepStrictEqual(resultIn(text), task))
        problems.push(`${agent.name} gave out of a damaged database: ${text.slice(0, 300)}`)
    }
    return problems
  } finally {
    await agent.end('SIGKILL')
  }
}

const ask = ({ callers }: Scene, agent: Agent, method: string, params: object) =>
  callers.post(`${agent.url}/a2a`, { jsonrpc: '2.0', id: 1, method, params })

function resultIn(text: string): unknown {
  try {
    return (JSON.parse(text) as { result?: unknown }).result
  } catch {
    return undefined
  }
}
