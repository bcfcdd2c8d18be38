// A change goes through all three agents: reviewed, approved, deployed.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../kit.ts'
import { decide, say, watch } from '../follow.ts'
import type { Story } from './index.ts'

export const diff = readFileSync(join(root, 'fixtures/payments-api/changes/idempotency-keys.diff'), 'utf8')
const change = { repository: 'payments-api', diff, build: '2026.10.06-1', environment: 'staging' }

const ship =
  (known: object): Story =>
  async (scene, told) => {
    told.agent = 'planner'
    const planner = await scene.callers.client(
      scene.agents.planner,
      scene.chance.pick(['JSONRPC', 'HTTP+JSON']),
    )
    await say(scene, told, planner, [{ data: { ...change, ...known } }])
    const answered = new Set<string>()
    await watch(scene, told, planner, async ({ status: { state, message } }) => {
      if (!message || answered.has(message.messageId)) return
      if (state === 'TASK_STATE_INPUT_REQUIRED') await say(scene, told, planner, [{ text: 'main' }])
      else if (state === 'TASK_STATE_AUTH_REQUIRED') await decide(scene, told, message)
      else return
      answered.add(message.messageId)
    })
  }

export const ships: Record<string, Story> = {
  'ship with a known branch': ship({ baseBranch: 'main' }),
  'ship with a question': ship({}),
}
