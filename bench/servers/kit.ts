// The kit as it is measured: the conformance agent on a new database, its chunks sent as they come, its log in a file.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { conformance } from '@a2a-kit/conformance'
import { startAgent } from '@a2a-kit/task-core'
import { pino } from 'pino'
import { reportToParent } from './parent.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'a2a-kit-bench-'))
const agent = await startAgent(conformance, {
  dataDir,
  log: pino({ level: 'info' }, pino.destination(join(dataDir, 'log'))),
  // One caller brings the whole load.
  settings: {
    streamArtifacts: true,
    maxRequestsPerSecond: 0,
    maxMessagesPerMinute: 0,
    maxStreamsPerCaller: 0,
    maxOpenTasksPerCaller: 0,
  },
})
reportToParent(`http://127.0.0.1:${agent.port}/a2a`, async () => {
  await agent.close()
  await rm(dataDir, { recursive: true })
})
