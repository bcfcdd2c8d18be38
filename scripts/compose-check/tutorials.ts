// Plays the tutorials against the containers: those that need no agents but these, as they are.
import assert from 'node:assert/strict'
import { areDefault } from '../tutorial/agents.ts'
import { check } from '../tutorial/check.ts'
import { captureFolder as folder, namesFor, seatsFor } from '../tutorial/library.ts'
import type { Compose } from './compose.ts'

/**
 * Returns how many were played.
 * @throws Error at the first difference, and when one was played against other agents
 */
export async function playTutorials({ env }: Compose): Promise<number> {
  const names: string[] = []
  for (const name of namesFor([], folder)) {
    if (areDefault(await seatsFor(name, (secret) => secret))) names.push(name)
  }
  const say = (line: string) => assert.match(line, /Played against the agents that run/)
  await check(names, { folder, env, say })
  return names.length
}
