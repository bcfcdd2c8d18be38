// in-process measure: engine without HTTP
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'

const core = '/work/wt/core/'
const { conformance } = await import(core + 'agents/conformance/src/agent.ts')
const { createEngine } = await import(core + 'shared/task-core/src/engine/engine.ts')
const { createWriter } = await import(core + 'shared/task-core/src/engine/writer.ts')
const { createFeed } = await import(core + 'shared/task-core/src/feed/feed.ts')
const { createOperations } = await import(core + 'shared/task-core/src/operations/index.ts')
const { defaultSettings } = await import(core + 'shared/task-core/src/settings.ts')
const { openStore } = await import(core + 'shared/task-core/src/store/index.ts')
const { plainTracer } = await import(core + 'shared/task-core/src/telemetry/index.ts')
const { realWorld } = await import(core + 'shared/task-core/src/world.ts')
const folder = await mkdtemp(join(tmpdir(), 'a2a-'))
const log = pino({ level: 'silent' })
const world = realWorld
const store = openStore(join(folder, 'test.db'), world)
const feed = createFeed(store)
const pushes = { wake() {}, stop() {}, refusal: () => undefined }
const c = {
  agent: conformance,
  store,
  feed,
  pushes,
  writer: createWriter({ store, feed, pushes, world, log }),
  world,
  log,
  telemetry: { tracer: plainTracer(world) },
  settings: {
    ...defaultSettings,
    maxRequestsPerSecond: 0,
    maxMessagesPerMinute: 0,
    maxStreamsPerCaller: 0,
    maxOpenTasksPerCaller: 0,
  },
  approveUrl: () => 'http://x',
  denyUrl: () => 'http://x',
}
const engine = createEngine(c as any)
const card = {
  name: 'test',
  defaultInputModes: ['text/plain'],
  skills: [],
  capabilities: { streaming: true },
}
const ops = createOperations({ core: c, engine, card } as any)
let n = 0
const call = { caller: { id: 'anyone', authenticated: false }, signal: new AbortController().signal }
async function loop(count: number) {
  for (let i = 0; i < count; i++) {
    await ops.unary.SendMessage(
      { message: { messageId: 'm' + ++n, role: 'ROLE_USER', parts: [{ text: 'working; artifact a b' }] } },
      call as any,
    )
  }
}
const run = async (per: number, conc = 32) => {
  const t = process.cpuUsage()
  await Promise.all(Array.from({ length: conc }, () => loop(per)))
  const u = process.cpuUsage(t)
  console.log(
    conc,
    ((u.user + u.system) / per / conc).toFixed(1),
    'µs/task  sys',
    (u.system / per / conc).toFixed(1),
  )
}
for (let i = 0; i < 5; i++) await run(500)
await run(3000, 1)
engine.close()
store.close()
await rm(folder, { recursive: true })
