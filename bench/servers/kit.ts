// The kit as it is shipped: an agent with the log and the settings of `serve`, but for the limits of one caller.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog, readConfiguration, startAgent } from '@a2a-kit/task-core'
import { holdings } from './holdings.ts'
import { scripted } from './kit-agent.ts'
import { reportToParent } from './parent.ts'

// A part may set DATA_DIR to a folder of its own, which then is left as it is.
const own = process.env.DATA_DIR === undefined
const dataDir = process.env.DATA_DIR ?? mkdtempSync(join(tmpdir(), 'a2a-kit-bench-'))

// One caller brings the whole load.
const noLimits = {
  MAX_REQUESTS_PER_SECOND: '0',
  MAX_MESSAGES_PER_MINUTE: '0',
  MAX_STREAMS_PER_CALLER: '0',
  MAX_OPEN_TASKS_PER_CALLER: '0',
}
const configuration = readConfiguration({ ...noLimits, ...process.env, DATA_DIR: dataDir }, { port: 0 })
const { logLevel: level, logFormat: format, ...rest } = configuration
const log = createLog({ name: scripted.card.name, level, format, file: join(dataDir, 'log') })

const agent = await startAgent(scripted, { ...rest, log })
const close = async () => {
  await agent.close()
  if (own) rmSync(dataDir, { recursive: true })
}
reportToParent(`http://127.0.0.1:${agent.port}/a2a`, close, holdings)
