// An agent put together by hand for tests that look into its feed: store, feed and engine, and no server.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { type Agent, defineAgent } from '../define-agent.ts'
import type { Core } from '../engine/core.ts'
import { createEngine } from '../engine/engine.ts'
import { createWriter } from '../engine/writer.ts'
import { createFeed } from '../feed/feed.ts'
import { createOperations } from '../operations/index.ts'
import type { AgentCard } from '../protocol/index.ts'
import { defaultSettings } from '../settings.ts'
import { openStore } from '../store/index.ts'
import { plainTracer } from '../telemetry/index.ts'
import { realWorld, type World } from '../world.ts'

export const bareCard = {
  name: 'test',
  defaultInputModes: ['text/plain'],
  skills: [],
  capabilities: { streaming: true },
} as unknown as AgentCard

/** `close` before the test's folder goes. */
export async function bareAgent(run: Agent['run'], world: World = realWorld) {
  const folder = await mkdtemp(join(tmpdir(), 'a2a-kit-'))
  const log = pino({ level: 'silent' })
  const store = openStore(join(folder, 'test.db'), world)
  const feed = createFeed(store)
  const pushes = { wake: () => {}, stop: () => {}, refusal: () => undefined }
  const core: Core = {
    agent: defineAgent({ card: { ...bareCard, name: 'test' }, run }),
    store,
    feed,
    pushes,
    writer: createWriter({ store, feed, pushes, world, log }),
    world,
    log,
    telemetry: { tracer: plainTracer(world) },
    settings: defaultSettings,
    approveUrl: () => 'http://x',
    denyUrl: () => 'http://x',
  }
  const engine = createEngine(core)
  const context = { core, engine, card: bareCard }
  onTestFinished(async () => {
    engine.close()
    store.close()
    await rm(folder, { recursive: true })
  })
  return { feed, log, context, operations: createOperations(context) }
}
