// A database that is damaged while its agent is down: the agent refuses to start, or says so, or gives what was there; then the copy is put back.

import { randomBytes } from 'node:crypto'
import { closeSync, copyFileSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import type { Task } from '@a2a-kit/task-core/protocol'
import { type Agent, names } from '../agents.ts'
import type { Scene } from '../scene.ts'
import type { Fault } from './fault.ts'

export const corrupted: Fault = (chance) => {
  const name = chance.pick(names)
  const holes = Array.from({ length: chance.pick([1, 3, 10]) }, () => ({
    place: chance.random(),
    size: chance.pick([16, 512, 4096]),
  }))
  const head = chance.onceIn(4)
  return {
    words: `${holes.length} places${head ? ' and the head' : ''} of the stopped ${name}'s database are overwritten`,
    late: true,
    async run(scene) {
      const agent = scene.agents[name]
      const known = scene.told.flatMap(({ task, agent: of }) => (task && of === name ? task : []))
      const ended = await agent.end('SIGTERM')
      const copy = `${agent.file}.copy`
      copyFileSync(agent.file, copy)
      overwrite(agent.file, holes, head)
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
        const { text } = await ask(scene, agent, 'GetTask', { id: task.id })
        if (!isDeepStrictEqual(resultIn(text), task))
          problems.push(`${name} gives another task ${task.id} than before`)
      }
      return problems
    },
  }
}

function overwrite(file: string, holes: { place: number; size: number }[], head: boolean): void {
  const { size: all } = statSync(file)
  const descriptor = openSync(file, 'r+')
  // The first page says what the file is; a hole in it is a case of its own.
  for (const { place, size } of holes)
    writeSync(descriptor, randomBytes(size), 0, size, 4096 + Math.floor(place * (all - 4096 - size)))
  if (head) writeSync(descriptor, randomBytes(100), 0, 100, 0)
  closeSync(descriptor)
}

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
